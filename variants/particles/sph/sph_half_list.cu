// Each pair of water particles computed once, by atomic additions.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/kernels.hpp"

// A list contains only neighbors in later slots. A thread adds a pair's term to both particles, to
// the other one by atomic additions, whose order varies from run to run, as do the last digits.
CAMBER_WORKLOAD_BEGIN(sph)

// Walls have no thread that would add their pairs, so lists contain all neighboring walls.
struct HalfList : InterleavedList {
    template <class R>
    using Seen = Place<R>;
    template <class R>
    CAMBER_DEVICE static bool keeps(int slot, int other, const Place<R>& place) {
        return other > slot || !(place.density > 0);
    }
};

// Adds to `sums`, which start from 0.
template <Read read, class Fields>
__global__ void pairs_kernel(const Fields fields, const HalfList list, const Grid<float> sums,
                             const int count, const Constants<float> k) {
    const int slot = own_slot();
    if (slot >= count) return;
    const Place<float> p = fields.place(slot);
    if (!(p.density > 0)) return;
    const Motion<float> m = fields.motion(slot);
    ForceSum<float> sum(k, {p.x, p.y, p.z, p.density, m.vx, m.vy, m.vz, m.pressure});
    const Site site = Site::current();
    const auto add = [&](int particle, const Force<float>& term) {
        atomicAdd(&sums(particle, 0, site), term.x);
        atomicAdd(&sums(particle, 1, site), term.y);
        atomicAdd(&sums(particle, 2, site), term.z);
        atomicAdd(&sums(particle, 3, site), term.rate);
    };
    list.for_neighbours<read>(slot, [&](int other) {
        const Place<float> place = fields.template place<read>(other);
        const Motion<float> motion = fields.template motion<read>(other);
        if (place.density > 0) {
            const Force<float> term =
                sum.of_fluid(k, place.x, place.y, place.z, place.density, motion);
            sum.add_term(term);
            add(other, {-term.x, -term.y, -term.z, term.rate});
        } else {
            sum.add_wall(k, place.x, place.y, place.z);
            for (int number = 0; number < 4; ++number) skip(site);
        }
    });
    CallPath path;
    add(slot, sum.terms());
}

// Converts the sums to forces in place.
template <class Fields, class Limits>
__global__ void finish_kernel(const Fields fields, const typename Fields::Forces forces,
                              const Limits limits, const int count, const Constants<float> k) {
    const int slot = own_slot();
    const bool exists = slot < count;
    const float density = exists ? fields.place(slot).density : 0.0f;
    float limit = longest_step<float>;
    if (density > 0) {
        const Force<float> force = total_of(k, density, forces.load(slot));
        forces.store(slot, force);
        limit = step_limit(k, density, force);
    }
    limits.take(slot, exists, density > 0, limit);
}

struct ByPair {
    template <Read read, class Fields, class Limits>
    static void enqueue(Queue& queue, unsigned block, const LineSlots& slots, const Fields& fields,
                        const HalfList& list, const typename Fields::ForceStore& forces,
                        const Limits& limits, const Constants<float>& k) {
        const LaunchShape shape = covering_line(slots.size(), block);
        forces.clear(queue);
        launch(queue, "pairs", shape, pairs_kernel<read, Fields>, fields, list, forces.numbers(),
               slots.count, k);
        launch(queue, "finish", shape, finish_kernel<Fields, Limits>, fields, forces.forces(),
               limits, slots.count, k);
    }
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance for a million particles on an H200: half of the loads and arithmetic of
// pairs, and four additions for each of 68 million pairs in two evaluations. L2 performs them per
// sector: 272 million, which at one per clock in each of about a hundred slices take 1.7 ms, more
// than all savings. The list has half the entries, but its lanes add to addresses as scattered as
// their loads.

namespace {

constexpr TechniqueInfo half_technique{
    "neighbour_list_half", "as neighbour_list, each pair once, its term added to both by atomics",
    "the symmetry of Rustico 2012, section 7.1, eq. 7.6", Family::global_memory};

const Registration half([](Registry& registry) {
    Variant variant =
        variant_of<Form<HalfList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                        LibraryMinimum<float>, ByPair>>(half_technique, 128);
    variant.info.arithmetic = Arithmetic::unordered;
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
