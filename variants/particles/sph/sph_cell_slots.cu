// Slots that every cell owns.
//
// Expectation for DamBreak3D: the box is nearly empty, and a million particles are in 303
// thousand cells of 32 slots, a tenth of them occupied. Streaming kernels skip the others by a
// count per cell. Positions, velocities and forces take ten times their size, and there is no
// list.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/cell_slots.hpp"
#include "variants/particles/sph/fused_minimum.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo cell_slots_technique{
    "cell_slots", "as cell_visit, each cell with 32 slots of its own; nothing is sorted",
    "Rustico 2012, section 7.3.2, Figure 7.2", Family::global_memory};

std::optional<std::string> beyond_slots(const Problem& problem) {
    const Settings settings = settings_of(problem.parameters);
    if (settings.skin > 0)
        return "has " + std::to_string(slots_per_cell) +
               " slots for each cell, and with a skin a cell has more particles: give skin=0";
    constexpr std::int64_t most = std::numeric_limits<int>::max() / 16 / slots_per_cell;
    const std::int64_t cells = cell_grid<float>(settings).count();
    if (cells <= most) return std::nullopt;
    return "takes at most " + std::to_string(most) + " cells, and this problem has " +
           std::to_string(cells);
}

const Registration slots([](Registry& registry) {
    Variant variant = variant_of<Form<NoList, QuadFields, Read::plain, SlotOrder, FusedMinimum>>(
        cell_slots_technique, cell_slots_block);
    variant.unsupported = beyond_slots;
    registry.add(std::move(variant));
});

}  // namespace
}  // namespace camber::sph
