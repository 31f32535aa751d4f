// One warp per cell, without and with a tile in shared memory.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/cell_warp.hpp"

// Same as one warp per cell, but neighbors are first staged in shared memory, 32 particles by 32
// lanes: a warp loads each particle once, with adjacent accesses.
CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr int cell_tile_block = 128;

template <Read read, class Fields>
class StagedCandidates {
  public:
    CAMBER_DEVICE StagedCandidates(const Fields& fields, const Fields& listed)
        : fields_(fields), listed_(listed) {}

    CAMBER_DEVICE void take(int first, int count) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        auto& cells = tile();
        if (lane < count) {
            const Location<float> was = listed_.template point<read>(first + lane);
            const Place<float> is = fields_.template place<read>(first + lane);
            const Motion<float> m = fields_.template motion<read>(first + lane);
            cells(row(), lane) = make_float4(was.x, was.y, was.z, 0);
            cells(row() + 1, lane) = make_float4(is.x, is.y, is.z, is.density);
            cells(row() + 2, lane) = make_float4(m.vx, m.vy, m.vz, m.pressure);
        }
        __syncwarp();
    }
    CAMBER_DEVICE Location<float> listed(int i) const {
        const float4 p = tile()(row(), i);
        return {p.x, p.y, p.z};
    }
    CAMBER_DEVICE Place<float> place(int i) const { return place_in(row() + 1, i); }
    CAMBER_DEVICE Motion<float> motion(int i) const {
        const float4 m = tile()(row() + 2, i);
        return {m.x, m.y, m.z, m.w};
    }

  private:
    using CellTile = Tile<float4, 3 * cell_tile_block / 32, 32>;  // three rows per warp

    CAMBER_DEVICE static CellTile& tile() {
        __shared__ CellTile cells;
        return cells;
    }
    CAMBER_DEVICE static int row() { return 3 * (static_cast<int>(threadIdx.x) / 32); }
    CAMBER_DEVICE static Place<float> place_in(int row, int i) {
        const float4 p = tile()(row, i);
        return {p.x, p.y, p.z, p.w};
    }

    const Fields& fields_;
    const Fields& listed_;
};

CAMBER_TARGET_END

namespace camber::sph {

// Expected performance: a lane adds 80 of the 475 particles in 27 cells, and 18 of a warp's 32
// lanes have a particle. So the arithmetic of a list's kernel is executed some eight times as
// often. The gain, requests of one sector for a whole warp and no list at all, does not compensate
// for that.

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
