// The order of particles in memory: by cells along a Morton curve, that of their numbers, or none.
//
// Expectation for a million particles on an H200: a particle sorted by cell finds its 80 neighbors
// in nine runs, which the particles of its warp share, so L1 serves most of their 160 sectors.
// Without any order each pair costs its own two sectors from L2 or DRAM: 136 million pairs, 8.7 GB,
// which at 5.5 TB/s of L2 take 1.6 ms if all fields fit into L2's 50 MB; the 64 MB of two float4
// arrays do not quite.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/morton_order.hpp"
#include "variants/particles/sph/quad_fields.hpp"
#include "variants/particles/sph/resting_order.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo morton_technique{
    "neighbour_list_morton", "as neighbour_list, cells sorted along a Morton curve",
    "Morton 1966; after Rustico 2012, section 8.2, who sorts by rows", Family::global_memory};
constexpr TechniqueInfo unsorted_technique{
    "neighbour_list_unsorted", "as neighbour_list, particles in the order of their numbers",
    "what the sort of Rustico 2012, section 7.3.1, is held against", Family::global_memory};
constexpr TechniqueInfo shuffled_technique{
    "neighbour_list_shuffled", "as neighbour_list, particles in no order, as after long stirring",
    "what the sort of Rustico 2012, section 7.3.1, is held against", Family::global_memory};

template <class Order>
using OfOrder = Form<InterleavedList, QuadFields, Read::plain, Order>;

std::optional<std::string> beyond_morton(const Problem& problem) {
    if (const auto reason = too_many_particles(problem)) return reason;
    const CellGrid<float> grid = cell_grid<float>(settings_of(problem.parameters));
    const int longest = std::max({grid.size.x, grid.size.y, grid.size.z});
    if (longest <= MortonOrder::most_cells) return std::nullopt;
    return "takes at most " + std::to_string(MortonOrder::most_cells) +
           " cells along an axis, and this problem has " + std::to_string(longest);
}

const Registration orders([](Registry& registry) {
    Variant morton = variant_of<OfOrder<SortedOrder<MortonOrder, float>>>(morton_technique, 128);
    morton.unsupported = beyond_morton;
    registry.add(std::move(morton));
    registry.add(variant_of<OfOrder<RestingOrder<AsNumbered>>>(unsorted_technique, 128));
    registry.add(variant_of<OfOrder<RestingOrder<Shuffled>>>(shuffled_technique, 128));
});

}  // namespace
}  // namespace camber::sph
