// Neighbors found by testing every particle against all others in each force evaluation: the naive
// search (Rustico 2012, section 7.3.1).
#pragma once

#include <cstddef>
#include <vector>

#include "variants/particles/sph/execution.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct AllPairs {};

// In ascending slots: the reference's order, where particles are sorted by rows of cells.
template <class FieldsType>
struct EveryOther {
    using Fields = FieldsType;
    using Real = typename Fields::Real;
    Fields listed;  // where particles were when they were sorted: that says who is whose neighbor
    int count;
    Real reach_2;

    template <Read read, class F>
    CAMBER_DEVICE void for_neighbours(int slot, const F& f) const {
        using Seen = Location<Real>;
        const Seen own = listed.template point<read>(slot);
        for (int other = 0; other < count; ++other) {
            const Turn of_other;
            const Seen there = listed.template point<read>(other);
            if (other != slot && squared_distance(own, there) < reach_2) f(other);
        }
    }
};

template <>
inline constexpr bool keeps_list<AllPairs> = false;
template <>
inline constexpr bool is_found_by_cells<AllPairs> = false;

template <>
class ListStore<AllPairs> {
  public:
    ListStore(Queue&, std::size_t count, int) : count_(static_cast<int>(count)) {}
    template <class Cells>
    EveryOther<typename Cells::Fields> neighbours(const Cells& cells) const {
        return {cells.listed, count_, cells.reach_2};
    }
    std::vector<ByteArea> areas() const { return {}; }

  private:
    int count_;
};

CAMBER_TARGET_END
