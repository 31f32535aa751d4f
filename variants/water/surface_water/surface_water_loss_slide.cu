// Surface water, a whole generation in one kernel that slides down the rows.
#include <cstddef>

#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"
#include "variants/stencil/walk.hpp"
#include "variants/water/surface_water/quick_loss.hpp"
#include "workloads/water/surface_water/rules.hpp"

// Cursor that moves down a field row by row: one addition per row, whereas an index takes a product
// and more.
CAMBER_TARGET_BEGIN

template <class T>
class RowCursor {
  public:
    CAMBER_DEVICE RowCursor(const Grid<T>& grid, int row, int column)
#if CAMBER_ON_DEVICE
        : cell_(&grid(row, column)), pitch_(static_cast<int>(&grid(1, 0) - &grid(0, 0))) {
    }
    CAMBER_DEVICE void go_down() {
        cell_ += pitch_;
    }
    // Prefetches the row `rows` further down into L2. It must be within the halo.
    CAMBER_DEVICE void prefetch(int rows) const {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(cell_ + static_cast<std::ptrdiff_t>(rows) * pitch_));
    }
    CAMBER_DEVICE Window<T> window() const {
        return {cell_, pitch_};
    }

  private:
    T* cell_;
    int pitch_;
#else
        : grid_(grid), row_(row), column_(column) {
    }
    void go_down() {
        ++row_;
    }
    void prefetch(int /*rows*/) const {}
    Window<T> window() const {
        return grid_.window(row_, column_);
    }

  private:
    const Grid<T>& grid_;
    int row_;
    int column_;
#endif
};

CAMBER_TARGET_END

// loss_slide: a warp moves down the rows of a strip and computes each cell's loss once. A thread
// loads its own columns of an incoming row by accesses of N cells; adjacent columns come from the
// other lanes by shuffles. A drop between two cells is computed once for both. The loss of a cell
// is complete one row later, its gain another row later; until then sums stay in registers, so a
// thread reads nothing twice and nothing passes through memory. The first and the last lane compute
// the losses beside the strip and store nothing.
CAMBER_WORKLOAD_BEGIN(surface_water)

using WholeStep = SurfaceWaterStep<float>;

// Ground and water of a row: a lane's N cells, at indices 1 to N, and one adjacent cell on either
// side.
template <int N>
struct WaterRow {
    float terrain[N + 2];
    float depth[N + 2];

    CAMBER_DEVICE float drop_to(int c, const WaterRow& other, int other_c) const {
        return surface_water::drop<float>(terrain[c], depth[c], other.terrain[other_c],
                                          other.depth[other_c]);
    }
};

template <int N>
CAMBER_DEVICE void fill_sides(float (&cells)[N]) {
    cells[0] = from_lane_before(cells[N - 2], 1);
    cells[N - 1] = from_lane_after(cells[1], 1);
}

// Rows between a prefetch into L2 and the load. To save registers, the compiler moves loads down to
// 150 instructions before their use, which hides the latency of L2 but not that of DRAM. With two
// cells per thread, the addresses would take registers that it does not have.
template <int N>
inline constexpr int rows_ahead = N == 4 ? 2 : 0;

// Incoming rows, each loaded while the previous one is processed.
template <int N>
class ComingRows {
  public:
    CAMBER_DEVICE ComingRows(const Views<WholeStep>& views, int row, int column)
        : views_(views),
          terrain_(views.input(Terrain<float, 2>{}), row, column),
          depth_(views.input(Depth<float, 2>{}), row, column),
          infiltration_(views.input(InfiltrationRate<float, 2>{}), row, column) {
        load_next();
    }

    // Last loaded row, after rain and infiltration.
    CAMBER_DEVICE WaterRow<N> row() const {
        WaterRow<N> row;
#pragma unroll
        for (int c = 0; c < N; ++c) {
            const float wet = loaded_depth_[c] + views_.parameters.rain.now();
            row.terrain[c + 1] = loaded_terrain_[c];
            row.depth[c + 1] =
                wet - smaller_number(wet, loaded_infiltration_[c] * views_.parameters.flow.dt);
        }
        fill_sides(row.terrain);
        fill_sides(row.depth);
        return row;
    }

    CAMBER_DEVICE void load_next(Site site = Site::current()) {
        const CallPath path(site);
        if constexpr (rows_ahead<N> > 0) {
            terrain_.prefetch(rows_ahead<N>);
            depth_.prefetch(rows_ahead<N>);
            infiltration_.prefetch(rows_ahead<N>);
        }
        loaded_terrain_ = pack<N>(terrain_.window(), 0, 0);
        loaded_depth_ = pack<N>(depth_.window(), 0, 0);
        loaded_infiltration_ = pack<N>(infiltration_.window(), 0, 0);
        terrain_.go_down();
        depth_.go_down();
        infiltration_.go_down();
    }

  private:
    const Views<WholeStep>& views_;
    RowCursor<const float> terrain_, depth_, infiltration_;
    Pack<float, N> loaded_terrain_, loaded_depth_, loaded_infiltration_;
};

// Returns larger(0, -drop), given `fall`, which is larger(0, drop). With four cells per thread, as
// the difference, which is exact: an addition uses another pipe than the maxima, of which half as
// many start per cycle. With two, the longer lives of values cost more than that (H200: 7 %).
template <int N>
CAMBER_DEVICE float rise_of(float fall, float drop) {
    return N == 4 ? fall - drop : larger(0.0f, -drop);
}

// Descents between two rows, each computed once for two cells: between cell c of the upper row and
// its neighbors c - 1 to c + 1 in the lower row.
template <int N>
struct RowDescents {
    float fall[3][N + 2];  // from the upper row
    float rise[3][N + 2];  // from the lower one

    CAMBER_DEVICE RowDescents(const WaterRow<N>& upper, const WaterRow<N>& lower) {
#pragma unroll
        for (int dcol = -1; dcol <= 1; ++dcol)
#pragma unroll
            for (int c = 0; c < N + 2; ++c) {
                const bool own = c > 0 && c <= N;
                const bool own_below = c + dcol > 0 && c + dcol <= N;
                if (!own && !own_below) continue;
                const float drop = upper.drop_to(c, lower, c + dcol);
                fall[dcol + 1][c] = larger(0.0f, drop);
                rise[dcol + 1][c] = rise_of<N>(fall[dcol + 1][c], drop);
            }
    }

    // Starts the descents from cells of the lower row.
    CAMBER_DEVICE void begin(Descents (&descents)[N]) const {
#pragma unroll
        for (int c = 1; c <= N; ++c)
            descents[c - 1] = Descents::of_upper(rise[2][c - 1], rise[1][c], rise[0][c + 1]);
    }
};

// Stores the first `count` of N cells.
template <int N>
CAMBER_DEVICE void store_first(int count, const Pack<float, N>& cells, const Window<float>& out) {
    const Site whole = Site::current();
    const Site single = Site::current();
    if (count == N)
        store_pack(out, 0, 0, cells, whole);
    else
        skip(whole);
#pragma unroll
    for (int c = 0; c < N; ++c)
        if (c < count && count < N)
            out(0, c, single) = cells[c];
        else
            skip(single);
}

// Lanes of a warp whose cells are stored.
inline constexpr int storing_lanes = 30;
inline constexpr Region slide_block{32, 4};

// Resident blocks per SM: as many as leave each thread the registers that it
// needs.
template <int N>
inline constexpr int resident_blocks = N == 4 ? 3 : 6;

// The board's rows are divided evenly among the warps, so that all of them end at once.
template <int N>
__global__ void __launch_bounds__(slide_block.columns* slide_block.rows, resident_blocks<N>)
    loss_slide_kernel(const Views<WholeStep> views) {
    const int warps = gridDim.y * blockDim.y;
    const int share = (views.rows + warps - 1) / warps;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * share;
    const int lane = threadIdx.x;
    const int column = (blockIdx.x * storing_lanes + lane - 1) * N;
    if (row >= views.rows) return;
    // Otherwise, the compiler would recompute both in every row.
    const int rows = opaque(views.rows - row < share ? views.rows - row : share);
    const int left = lane > 0 && lane <= storing_lanes ? views.columns - column : 0;
    const int stored = opaque(left < 0 ? 0 : left < N ? left : N);

    // Lanes beyond the halo load the last columns again; their results are unused.
    const int last_column = (views.columns + 1) / N * N;
    ComingRows<N> coming(views, row - 2, column < last_column ? column : last_column);
    RowCursor<float> out(get<0>(views.outputs), row, column);

    const WaterRow<N> first = coming.row();
    coming.load_next();
    WaterRow<N> upper = coming.row();  // the row above the incoming one
    coming.load_next();
    RowDescents<N> above(first, upper);
    Descents descents[N];  // from cells of `upper`
    above.begin(descents);
    float gain[N] = {};               // from the row above
    float kept[N] = {}, won[N] = {};  // for the row above: remaining water, and gain so far
#pragma unroll 1
    for (int r = -2; r < rows; ++r) {
        const WaterRow<N> lower = coming.row();
        coming.load_next();
        const RowDescents<N> below(upper, lower);
        float east[N + 1], west[N + 1];  // between cells c and c + 1
#pragma unroll
        for (int c = 0; c <= N; ++c) {
            const float drop = upper.drop_to(c, upper, c + 1);
            east[c] = larger(0.0f, drop);
            west[c] = rise_of<N>(east[c], drop);
        }
        float depth[N];
#pragma unroll
        for (int c = 1; c <= N; ++c) {
            Descents& own = descents[c - 1];
            own.add_orthogonal(west[c - 1]);
            own.add_orthogonal(east[c]);
            own.add_diagonal(below.fall[0][c]);
            own.add_orthogonal(below.fall[1][c]);
            own.add_diagonal(below.fall[2][c]);
            depth[c - 1] = upper.depth[c];
        }
        upper = lower;
        Loss<float> losses[N];
        losses_of(depth, descents, views.parameters.flow, losses);
        float per_drop[N + 2];
#pragma unroll
        for (int c = 1; c <= N; ++c) per_drop[c] = losses[c - 1].per_drop;
        fill_sides(per_drop);

        const auto given = [&](int c, float descent) {
            return rounded_product(per_drop[c], descent);
        };
        Pack<float, N> result;
#pragma unroll
        for (int c = 1; c <= N; ++c) {
            float all = won[c - 1];
            all += given(c - 1, above.rise[0][c]);
            all += given(c, above.rise[1][c]);
            all += given(c + 1, above.rise[2][c]);
            result[c - 1] = kept[c - 1] + all;
            kept[c - 1] = depth[c - 1] - losses[c - 1].discharge;
            won[c - 1] = (gain[c - 1] + given(c - 1, east[c - 1])) + given(c + 1, west[c]);
            gain[c - 1] = (given(c - 1, below.fall[2][c - 1]) + given(c, below.fall[1][c])) +
                          given(c + 1, below.fall[0][c + 1]);
        }
        below.begin(descents);
        if (r >= 0) {
            store_first(stored, result, out.window());
            out.go_down();
        }
        above = below;
    }
}

struct LossSlide {
    static constexpr TechniqueInfo info{
        "loss_slide", "rows pass through a warp's registers, every cell's loss computed once",
        "camber's, after Balasalle 2011, section 6.3, and Rawat et al. 2016",
        Family::register_streaming};

    static void add(Catalogue<WholeStep>& catalogue) {
        catalogue.add(info, variant<2, 32>());
        catalogue.add(info, variant<2, 72>());
        catalogue.add(info, variant<4, 32>());
        // A board of 4096x4096 has as many blocks as a GPU with 132 SMs runs at once.
        catalogue.add(info, variant<4, 96>());
    }

  private:
    // Packs that contain a cell of the halo may extend beyond it, and rows are loaded and prefetched
    // beyond the last one. `Rows` only determines the number
    // of blocks.
    template <int N, int Rows>
    static StencilVariant<WholeStep> variant() {
        return {.shape = {.block = slide_block,
                          .region = {storing_lanes * N, slide_block.rows * Rows},
                          .halo = 1 + N,
                          .alignment = 128,
                          .elements_per_thread = N * Rows,
                          .path = slide_block.name() + "/v" + std::to_string(N) + "/r" +
                                  std::to_string(Rows)},
                .kernel = {loss_slide_kernel<N>}};
    }
};

CAMBER_TARGET_END

namespace camber::surface_water {

namespace {

const Registration surface_water_loss_slide_variants([](Registry& registry) {
    Catalogue<WholeStep> catalogue(registry, "surface_water", ElementType::float32, "fused");
    LossSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::surface_water
