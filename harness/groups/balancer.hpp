// Which rows change their place, by the time that each place takes for its own: a place that is
// slower than the mean costs all others as much (Rustico 2012, section 8.10).
#pragma once

#include <span>
#include <vector>

#include "harness/base/rows.hpp"
#include "harness/registry/division.hpp"

namespace camber {

class Balancer {
  public:
    // `fewest`: rows that a place keeps.
    Balancer(const Balancing& balancing, int fewest) : balancing_(balancing), fewest_(fewest) {}

    // The rows that the places go on with. `seconds`: what each took for its stripe, on average,
    // since this was last called.
    std::vector<Rows> divided_anew(std::vector<Rows> stripes, std::span<const double> seconds);

  private:
    // What moved a boundary last: +1 downwards, -1 upwards, and by how much the place that gave
    // rows was slower than the mean.
    struct Move {
        int direction = 0;
        double excess = 0;
    };

    bool may_move(int giver, int taker, double excess) const;

    Balancing balancing_;
    int fewest_;
    std::vector<Move> moves_;  // of the boundary below each place
};

}  // namespace camber
