// SCIARA-fv2 with a whole step after the emission in one kernel, whose warps compute outflows of
// lava cells only. Double precision, compiled without contraction of products and sums.
#include <cstdint>

#include "variants/lava/sciara_fv2/cell_arithmetic.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/techniques.hpp"

// compact: a block stages a tile of cells, collects those with lava in a list, and computes the
// outflows of the list: all lanes of a warp have a cell with lava, wherever it is in the tile.
// Flows pass to the exchange through shared memory, and cooling follows in registers. The list is
// in the order in which the warps reach it, which no result depends on.
//
// Performance, counted on an H200 for tiles of 32x16 (results/h200/sciara_fv2-tiled.txt, 2068 x
// 2268 cells, 54 % of them active): 874 instructions for 32 cells, in 297 us per step with the
// emission, instead of 566 us by halo. Warps issue in 49 % of the cycles only: with 80 registers per
// thread, an SM has 24 warps, which wait for each other at the barriers between the phases of a tile.
// The FP64 pipe is busy for 30 % of the time, shared memory for 39 %, a quarter of that with bank
// conflicts. Tiles of 32x8 take 340 us.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// tau_1 to tau_3 in one rule.
struct WholeStep {
    static constexpr const char* step = "whole_step";
    static constexpr bool closed = true;
    static constexpr bool heavy = true;
    using Inputs = InputList<Altitude<2>, Thickness<2>, Temperature<1>, Solidified, Frame<1>>;
    using Outputs = OutputList<NewAltitude, NewThickness, NewTemperature, NewSolidified>;
    struct Parameters {
        RoundedLava::Outflow outflow;
        RoundedLava::Cooling cooling;
    };

    static Parameters parameters(const ParameterSet& set) {
        return {RoundedLava::outflow(set), RoundedLava::cooling(set)};
    }
};

// Tables of powers in dynamic shared memory.
class StagedPowers {
  public:
    CAMBER_DEVICE explicit StagedPowers(int offset) : cells_(count, offset) {}
    template <int Threads>
    CAMBER_DEVICE void load(int thread) const {
        for (int i = thread; i < count; i += Threads)
            cells_(i) = power_table[i / power_columns][i % power_columns];
    }
    CAMBER_DEVICE double at(PowerRow row, int column) const {
        return cells_(static_cast<int>(row) * power_columns + column);
    }
    static constexpr int count = power_rows * power_columns;

  private:
    DynamicShared<double> cells_;
};

// Tile of TX x TY cells in dynamic shared memory, with halos of one cell for the flows and of two
// for the cells that they depend on.
template <int TX, int TY>
struct CompactTile {
    static constexpr int flow_columns = TX + 2, flow_rows = TY + 2;
    static constexpr int flow_cells = flow_columns * flow_rows;
    static constexpr int columns = TX + 4, rows = TY + 4;
    static constexpr int cells = columns * rows;
    static constexpr int word = sizeof(double);
    static constexpr int at_temperature = 2 * cells * word;
    static constexpr int at_flows = at_temperature + flow_cells * word;
    static constexpr int at_powers = at_flows + neighbours * flow_cells * word;
    static constexpr int at_list = at_powers + StagedPowers::count * word;
    static constexpr int bytes = at_list + (flow_cells + 1) * static_cast<int>(sizeof(int));

    DynamicShared<double> altitude, thickness, temperature, flows;
    DynamicShared<int> list;  // the number of entries, then cells of the flows
    StagedPowers powers;

    CAMBER_DEVICE CompactTile()
        : altitude(cells, 0),
          thickness(cells, cells * word),
          temperature(flow_cells, at_temperature),
          flows(neighbours * flow_cells, at_flows),
          list(flow_cells + 1, at_list),
          powers(at_powers) {}

    // Indices of a cell; rows and columns count from the tile's first cell.
    CAMBER_DEVICE static int cell(int r, int c) { return (r + 2) * columns + c + 2; }
    CAMBER_DEVICE static int flow(int r, int c) { return (r + 1) * flow_columns + c + 1; }
    CAMBER_DEVICE decltype(auto) flow_to(int k, int i, Site site = Site::current()) const {
        return flows((k - 1) * flow_cells + i, site);
    }
};

inline constexpr Region compact_block{32, 8};

template <class Rule, int TX, int TY>
__global__ void __launch_bounds__(compact_block.columns* compact_block.rows, 3)
    compact_kernel(const Views<Rule> views) {
    using Shared = CompactTile<TX, TY>;
    constexpr int threads = compact_block.columns * compact_block.rows;
    constexpr unsigned all = 0xffffffffu;
    static_assert(TX == compact_block.columns && TY % compact_block.rows == 0);
    const Shared tile;
    const int lane = threadIdx.x;
    const int thread = threadIdx.y * compact_block.columns + lane;
    const int first_row = blockIdx.y * TY;
    const int first_column = blockIdx.x * TX;
    const auto loader = [&](auto tag) {
        return Loader<Fit::overhang, Rule, decltype(tag)>(views, tag, first_row, first_column);
    };
    const auto altitude = loader(Altitude<2>{});
    const auto thickness = loader(Thickness<2>{});
    const auto temperature = loader(Temperature<1>{});
    const auto frame = loader(Frame<1>{});
    for (int i = thread; i < Shared::cells; i += threads) {
        tile.altitude(i) = altitude(i / Shared::columns - 2, i % Shared::columns - 2);
        tile.thickness(i) = thickness(i / Shared::columns - 2, i % Shared::columns - 2);
    }
    for (int i = thread; i < Shared::flow_cells; i += threads)
        tile.temperature(i) =
            temperature(i / Shared::flow_columns - 1, i % Shared::flow_columns - 1);
    tile.powers.template load<threads>(thread);
    if (thread == 0) tile.list(0) = 0;
    __syncthreads();

    for (int first = 0; first < Shared::flow_cells; first += threads) {
        const int i = first + thread;
        const int r = i / Shared::flow_columns - 1, c = i % Shared::flow_columns - 1;
        bool flows = false;
        if (i < Shared::flow_cells) {
            const double h = tile.thickness(Shared::cell(r, c));
            flows = frame(r, c) == 0 && h > 0;
        }
        const unsigned mask = __ballot_sync(all, flows);
        int start = 0;
        if (lane == 0) start = atomicAdd(&tile.list(0), __popc(mask));
        start = __shfl_sync(all, start, 0);
        const Site none = Site::current();
        if (flows) tile.list(1 + start + __popc(mask & ((1u << lane) - 1))) = i;
        each_neighbour([&]<int k>(Neighbour<k>) {
            if (i < Shared::flow_cells && !flows)
                tile.flow_to(k, i, none) = 0.0;
            else
                skip(none);
        });
    }
    __syncthreads();

    const int count = tile.list(0);
#pragma unroll 1
    for (int n = thread; n < count; n += threads) {
        const int i = tile.list(1 + n);
        const int own = i / Shared::flow_columns * Shared::columns + i % Shared::flow_columns +
                        Shared::columns + 1;
        const double h = tile.thickness(own);
        const double t = tile.temperature(i);
        double heads[neighbours + 1];
        heads[0] = tile.altitude(own);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const int other = own + row_offset(k) * Shared::columns + column_offset(k);
            const double z_k = tile.altitude(other);
            const double h_k = tile.thickness(other);
            heads[k] = RoundedLava::head(k, heads[0], z_k, h_k);
        });
        double out[neighbours];
        RoundedLava::outflows(heads, h, t, views.parameters.outflow, out, tile.powers);
        each_neighbour([&]<int k>(Neighbour<k>) { tile.flow_to(k, i) = out[k - 1]; });
    }
    __syncthreads();

#pragma unroll 1
    for (int r = threadIdx.y; r < TY; r += compact_block.rows) {
        const int row = first_row + r, column = first_column + lane;
        if (row >= views.rows || column >= views.columns) return;
        const int own = Shared::cell(r, lane), i = Shared::flow(r, lane);
        double z = tile.altitude(own), h = tile.thickness(own), t = tile.temperature(i);
        double solid = views.input(Solidified{})(row, column);
        if (views.input(Frame<1>{})(row, column) != 0) {
            h = t = 0;
        } else {
            double in[neighbours], in_temperature[neighbours], out[neighbours];
            bool has_lava = h > 0;
            each_neighbour([&]<int k>(Neighbour<k>) {
                const int other = i + row_offset(k) * Shared::flow_columns + column_offset(k);
                in[k - 1] = tile.flow_to(opposite(k), other);
                in_temperature[k - 1] = tile.temperature(other);
                out[k - 1] = tile.flow_to(k, i);
                has_lava = has_lava || in[k - 1] > 0;
            });
            if (has_lava) {
                const RoundedLava::Cooling& cooling = views.parameters.cooling;
                RoundedLava::exchange_and_cool(in, in_temperature, out, h, t, cooling, tile.powers);
                if (h > 0 && !(t > cooling.solid)) {
                    z += h;
                    solid += h;
                    h = 0;
                    t = cooling.solid;
                }
            }
        }
        store(views, row, column, Values<double, double, double, double>{z, {h, {t, {solid, {}}}}});
    }
}

struct Compact {
    static constexpr TechniqueInfo info{
        "compact", "outflows of a tile's lava cells by full warps, the step in one kernel",
        "camber's, after D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, "
        "SSRN 5056757",
        Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        add_tile<Rule, 32, 8>(catalogue);
        add_tile<Rule, 32, 16>(catalogue);
    }

  private:
    template <class Rule, int TX, int TY>
    static void add_tile(Catalogue<Rule>& catalogue) {
        constexpr std::size_t bytes = CompactTile<TX, TY>::bytes;
        const Region region{TX, TY};
        catalogue.add(info, {.shape = {.block = compact_block,
                                       .region = region,
                                       .halo = 2,
                                       .alignment = 128,
                                       .elements_per_thread = TX * TY / 256,
                                       .shared_bytes = bytes,
                                       .path = region.name()},
                             .kernel = {compact_kernel<Rule, TX, TY>},
                             .dynamic_shared = bytes});
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv2 {

// Not in an unnamed namespace: see sciara_fv2_further_forms.cu.
const Registration sciara_fv2_compact_variants([](Registry& registry) {
    const auto whole = step_choices<WholeStep, TechniqueList<Compact>>();
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, "two_kernels",
                  {plans_like(whole, emission_plan), whole});
});

}  // namespace camber::sciara_fv2
