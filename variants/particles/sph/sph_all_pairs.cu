// Neighbors found by testing every particle against all others in each force evaluation: the naive
// search (Rustico 2012, section 7.3.1).
#include <cstddef>
#include <vector>

#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct AllPairs {};

// Visits slots in ascending order, which is the reference's order, because particles are sorted by
// rows of cells.
template <class FieldsType>
struct EveryOther {
    using Fields = FieldsType;
    using Real = typename Fields::Real;
    Fields listed;  // positions at the time of the sort, which define the neighbors
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

namespace camber::sph {

// Expected performance for 23,195 particles on an H200: 12,800 water particles test 23,195 each,
// twice per iteration: 594 million tests of some ten instructions, 19 million for warps, and as
// many requests, each of one sector that serves all lanes. The 132 SMs issue 528 instructions per
// clock, of which 180 blocks of 128 threads fill a third: 0.6 ms, some five times as long as with a
// list. A million particles would take 2000 times as long.

namespace {

constexpr TechniqueInfo all_pairs_technique{
    "all_pairs", "no list and no cells: each particle tests all others at each evaluation",
    "Rustico 2012, section 7.3.1, on naive search", Family::global_memory};

const Registration all_pairs([](Registry& registry) {
    Variant variant = variant_of<Form<AllPairs, QuadFields, Read::plain>>(all_pairs_technique, 128);
    variant.unsupported = [](const Problem& problem) {
        return more_particles_than(std::int64_t{1} << 17, problem);
    };
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
