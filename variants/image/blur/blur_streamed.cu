// The 3x3 blur, several generations per launch, as rows stream by.
#include "variants/stencil/cell_stream.hpp"
#include "variants/techniques/bulk_copy.hpp"
#include "variants/techniques/cluster_tile.hpp"
#include "variants/techniques/register_stream.hpp"
#include "workloads/image/blur/rule.hpp"

CAMBER_TARGET_BEGIN

// shared_ring: register_stream as wide as a block. Edge cells of the block's warps pass through a
// ring buffer of two steps in shared memory, so cells are computed twice only at the sides of
// blocks. All generations process one row each per step, namely the row that the previous
// generation computed in the previous step: one block barrier per step serves all generations.
// After AN5D (Matsumura et al. 2020), which passes every complete row through shared memory.
// First and last cell of every warp's row, for every generation.
template <class Stretch>
struct SideRing {
    static constexpr int warps = Stretch::lanes / 32;
    static constexpr int steps = 2;
    using Sides = Tile<typename Stretch::Cell, steps * Stretch::generations, warps>;
    static constexpr std::size_t bytes =
        2 * steps * Stretch::generations * warps * sizeof(typename Stretch::Cell);

    Sides first;
    Sides last;
};

template <class Rule, class Stretch, StreamEdge edge>
class RingStream {
  public:
    using Cell = typename Stretch::Cell;
    using Cells = LaneCells<Cell, Stretch::lane_cells>;
    using Beside = LaneCellsBeside<Cell, Stretch::lane_cells>;
    using Generation = PassingGeneration<Rule, Stretch::lane_cells>;
    using Ring = SideRing<Stretch>;
    static constexpr int generations = Stretch::generations;

    CAMBER_DEVICE RingStream(const StreamPlace<Rule, Stretch>& place, Ring& ring)
        : place_(place), ring_(ring), warp_(place.lane / 32), lane_(place.lane % 32) {}

    template <class Source>
    CAMBER_DEVICE void run(Source& source) const {
        constexpr int at_once = rows_at_once<Generation, Source, Ring::steps>;
        const StreamedRows<Rule, Stretch, edge> streamed(place_);
        Generation generation[generations];
        Cells coming[generations] = {};  // incoming row of each generation
        // Each generation is one row behind the previous one.
        const int end = place_.coming() + generations - 1;
#pragma unroll 1
        for (int row = 0; row < end; row += at_once) {
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                coming[0] = source.take(row + i, i);
                const int step = i % Ring::steps * generations;
#pragma unroll
                for (int g = 0; g < generations; ++g) give_sides(coming[g], step + g);
                __syncthreads();
#pragma unroll
                for (int g = 0; g < generations; ++g) {
                    generation[g].pass(coming[g], beside(coming[g], step + g), place_.views,
                                       later<Rule>(place_.views.parameters, g));
                    if constexpr (edge == StreamEdge::dead)
                        streamed.keep_outside(coming[g],
                                              place_.first_coming() + row + i - 2 * g - 1);
                }
                streamed.store(coming[generations - 1], row + i - 3 * generations + 1);
#pragma unroll
                for (int g = generations - 1; g > 0; --g) coming[g] = coming[g - 1];
            }
        }
    }

  private:
    CAMBER_DEVICE void give_sides(const Cells& cells, int at, Site site = Site::current()) const {
        const CallPath path(site);
        const Site first = Site::current();
        const Site last = Site::current();
        if (lane_ == 0)
            ring_.first(at, warp_, first) = cells.cell[0];
        else
            skip(first);
        if (lane_ == 31)
            ring_.last(at, warp_, last) = cells.cell[Stretch::lane_cells - 1];
        else
            skip(last);
    }

    // Adjacent cells from other warps. At a block's sides there is no other warp, and no stored
    // cell depends on the value.
    CAMBER_DEVICE Beside beside(const Cells& cells, int at, Site site = Site::current()) const {
        const CallPath path(site);
        Beside found = Beside::of(cells);
        const Cell before =
            load_if(lane_ == 0 && warp_ > 0, ring_.last, at, warp_ - 1, found.cell[0]);
        const Cell after = load_if(lane_ == 31 && warp_ < Ring::warps - 1, ring_.first, at,
                                   warp_ + 1, found.cell[Stretch::lane_cells + 1]);
        found.cell[0] = before;
        found.cell[Stretch::lane_cells + 1] = after;
        return found;
    }

    const StreamPlace<Rule, Stretch>& place_;
    Ring& ring_;
    int warp_;
    int lane_;
};

template <class Rule, class Stretch, int ahead, Boundary boundary>
__global__ void __launch_bounds__(Stretch::lanes, 2) shared_ring_kernel(const Views<Rule> views) {
    constexpr StreamEdge at_edge =
        boundary == Boundary::torus ? StreamEdge::torus : StreamEdge::dead;
    __shared__ SideRing<Stretch> ring;
    const StreamPlace<Rule, Stretch> place(views, blockIdx.y, blockIdx.x);
    // Equal for all warps of a block.
    if (place.is_inside(boundary)) {
        LoadedRows<Rule, Stretch, ahead, StreamEdge::none> rows(place);
        RingStream<Rule, Stretch, StreamEdge::none>(place, ring).run(rows);
    } else {
        LoadedRows<Rule, Stretch, ahead, at_edge> rows(place);
        RingStream<Rule, Stretch, at_edge>(place, ring).run(rows);
    }
}

struct SharedRing {
    static constexpr TechniqueInfo info{
        "shared_ring", "as register_stream a block wide, sides between warps in shared memory",
        "after Matsumura et al. 2020", Family::several_generations};

    // Six warps divide a board of 16384 columns with the smallest remainder; 456 rows divide it
    // into three times as many stretches as a GPU with 132 SMs runs at once.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        static_assert(iterates_one_field<Rule>() && sums_by_rows<Rule>());
        catalogue.add(info, variant<Rule, 8, 128>());
        catalogue.add(info, variant<Rule, 8, 456>());
    }

  private:
    template <class Rule, int Generations, int Rows>
    static StencilVariant<Rule> variant() {
        using Of = StretchOf<Rule, widest_pack<Rule>(), Generations, Rows, 6 * 32>;
        Shape shape = stream_shape<Of>();
        shape.shared_bytes = SideRing<Of>::bytes;
        return {.shape = shape,
                .kernel = {shared_ring_kernel<Rule, Of, 2, Boundary::dead>},
                .torus_kernel = {shared_ring_kernel<Rule, Of, 2, Boundary::torus>}};
    }
};

CAMBER_TARGET_END

namespace camber {
namespace {

const Registration blur_streamed([](Registry& registry) {
    Catalogue<Blur> catalogue(registry, "blur", ElementType::float32);
    RegisterStream::add(catalogue);
    BulkCopy::add(catalogue);
    SharedRing::add(catalogue);
    ClusterTile::add(catalogue);
});

}  // namespace
}  // namespace camber
