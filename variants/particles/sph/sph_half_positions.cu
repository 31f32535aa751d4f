// Places of 8 bytes, in half precision.
//
// Expectation for a million particles on an H200: a pair loads 4 bytes of the list, 8 of a position
// and 16 of a motion, 28 instead of 36, with as many requests. L1 wavefronts for positions decrease
// from at least four to at least two. In return, a pair takes 25 instructions more than its 95,
// four halves to widen and three cells to count from, and 40 bytes per particle are packed before
// each evaluation, 20 microseconds for both. The list's kernel takes 50 cycles for a pair of each
// lane of a warp on an SM, of which 25 issue instructions. So forces should take a tenth less, and
// an iteration 5 % less than neighbour_list with the same loads.
//
// Rounding moves a coordinate by 2^-13 of a cell's side at most, 3e-4 of a spacing, while a
// particle is in its cell. Both particles of a pair are rounded, so that what they do to each other
// is still equal and opposite.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/half_positions.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo half_positions_technique{
    "neighbour_list_half_positions",
    "as neighbour_list, neighbours' positions relative to cells in half precision",
    "after Saikali, Bilotta, Herault and Zago 2020, whose positions relative to cells are floats",
    Family::global_memory};

template <Read read>
void add(Registry& registry) {
    Variant variant =
        variant_of<Form<DirectedList, QuadFields, read, SortedOrder<RowOrder, float>,
                        LibraryMinimum<float>, ByHalfPositions>>(half_positions_technique, 128);
    variant.info.arithmetic = Arithmetic::rounded;
    variant.unsupported = [](const Problem& problem) {
        return more_particles_than(1 << slot_bits, problem);
    };
    registry.add(std::move(variant));
}

const Registration half_positions([](Registry& registry) {
    add<Read::plain>(registry);
    add<Read::read_only>(registry);
});

}  // namespace
}  // namespace camber::sph
