// A warp for each cell, without and with a tile in shared memory.
//
// What to expect: of the 475 particles in 27 cells a lane adds 80, and 18 of a warp's 32 lanes have
// a particle. So the arithmetic of a list's kernel is done some eight times as often, and what it
// gains, requests of one sector for a whole warp and no list at all, does not make up for it.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/cell_tile.hpp"

namespace camber::sph {
namespace {

constexpr TechniqueInfo cell_warp_technique{
    "cell_warp", "a warp per cell, whose lanes visit the 27 cells around together",
    "after Rustico 2012, section 7.3.2, who visits them by particle", Family::global_memory};
constexpr TechniqueInfo cell_tile_technique{
    "cell_tile", "as cell_warp, the particles that are visited staged in shared memory",
    "after Rustico 2012, section 7.3.2, who visits them by particle", Family::shared_memory};

template <template <Read, class> class Candidates>
using OfCells = Form<NoList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                     LibraryMinimum<float>, ByCell<Candidates>>;

const Registration cells([](Registry& registry) {
    registry.add(variant_of<OfCells<LoadedCandidates>>(cell_warp_technique, 128));
    registry.add(variant_of<OfCells<StagedCandidates>>(cell_tile_technique, cell_tile_block));
});

}  // namespace
}  // namespace camber::sph
