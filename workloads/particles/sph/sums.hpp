// Summation methods for forces.
#pragma once

#include "harness/base/target.hpp"

namespace camber::sph {

enum class Sums {
    plain,        // one after another
    compensated,  // what rounding takes off is added to the next term: Kahan 1965
};

template <class R, Sums sums>
class Sum {
  public:
    CAMBER_HD void add(R term) { value_ += term; }
    CAMBER_HD R value() const { return value_; }

  private:
    R value_ = 0;
};

template <class R>
class Sum<R, Sums::compensated> {
  public:
    CAMBER_HD void add(R term) {
        const R whole = term - excess_;
        const R next = value_ + whole;
        excess_ = (next - value_) - whole;
        value_ = next;
    }
    CAMBER_HD R value() const { return value_; }

  private:
    R value_ = 0;
    R excess_ = 0;  // of `value_` over the sum of the terms
};

}  // namespace camber::sph
