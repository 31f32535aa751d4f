// SCIARA-fv2 in forms that its users compare: threads along columns, blocks with a halo, several
// cells per thread, buffers that are copied instead of swapped, an in-place exchange, and a single
// kernel.
#include <memory>
#include <string>

#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv2/lava_cell.hpp"
#include "variants/lava/sciara_fv2/one_kernel_execution.hpp"
#include "variants/stencil/board_edge.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/hand_over.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/in_place.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_TARGET_BEGIN

// ring_block: a tile with its halo, one thread per staged cell. Threads at the rim of the block
// only stage their cell and compute nothing. No thread loads several cells, but 60 of 256 threads
// in a block of 16x16 are idle.
template <class Rule, int BX, int BY>
__global__ void ring_block_kernel(const Views<Rule> views) {
    static_assert(Rule::Inputs::radius == 1);
    __shared__ typename Rule::Inputs::template Map<TileOf<BY, BX>::template Type> tiles;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const bool inside = views.inside(row, column);
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0)
            get<Rule::Inputs::template index<Tag>>(tiles)(y, x) =
                load_if(inside, views.input(tag), row, column, Tag::outside());
    });
    __syncthreads();

    if (!inside || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (Tag::radius > 0)
            return get<Rule::Inputs::template index<Tag>>(tiles)(y + drow, x + dcol, site);
        else
            return views.input(tag)(row, column, site);
    };
    store(views, row, column, apply(views, read));
}

// Only for boards that are not a torus.
struct RingBlock {
    static constexpr TechniqueInfo info{
        "ring_block", "tile and halo staged by a thread per cell of both",
        "public GPU versions of SCIARA-fv2; tiled with a halo", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0) {
            catalogue.add(info, variant<Rule, 8, 8>());
            catalogue.add(info, variant<Rule, 16, 16>());
            catalogue.add(info, variant<Rule, 32, 8>());
        }
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant() {
        const Region block{BX, BY};
        return {.shape = {.block = block,
                          .region = {BX - 2, BY - 2},
                          .shared_bytes = staged_bytes<Rule>(block)},
                .kernel = {ring_block_kernel<Rule, BX, BY>}};
    }
};

// several_cells: like global, but with K cells of a row per thread, one block width apart, so that
// the lanes of a warp still read adjacent cells; the grid is K times narrower.
// The loop is not unrolled: heavy rules would be compiled K times.
template <class Rule, int K>
__global__ void several_cells_kernel(const Views<Rule> views) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows) return;
    // Lanes that compute in different iterations share no instruction.
    static_assert(K <= 4);
    const Site iterations[] = {Site::current(), Site::current(), Site::current(), Site::current()};
#pragma unroll 1
    for (int q = 0; q < K; ++q) {
        const CallPath iteration(iterations[q]);
        const int column = (blockIdx.x * K + q) * blockDim.x + threadIdx.x;
        if (column >= views.columns) return;
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        store(views, row, column, apply(views, read));
    }
}

// Only for boards that are not a torus.
struct SeveralCells {
    static constexpr TechniqueInfo info{"several_cells",
                                        "as global, threads compute several cells of a row",
                                        "public GPU versions of SCIARA-fv2", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{16, 16}, Region{32, 8}}) {
            add_count<2>(catalogue, block);
            add_count<4>(catalogue, block);
        }
    }

  private:
    template <int K, class Rule>
    static void add_count(Catalogue<Rule>& catalogue, Region block) {
        catalogue.add(info, {.shape = {.block = block,
                                       .region = {K * block.columns, block.rows},
                                       .elements_per_thread = K,
                                       .path = block.name() + "/k" + std::to_string(K)},
                             .kernel = {several_cells_kernel<Rule, K>}});
    }
};

CAMBER_TARGET_END

// side_buffer: a tile with its halo whose exchange overwrites thickness and temperature in place. A
// preceding kernel saves the temperatures at the rims of all blocks for the neighboring blocks, so
// that no block reads values that another may have changed. Only the flow fields have a second
// buffer. Public GPU versions of SCIARA-fv2 compare this tiled form.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Temperatures of the first and last row of every row of blocks, and likewise for columns.
template <class T>
struct BlockRims {
    Grid<T> rows;     // 2 per row of blocks x columns
    Grid<T> columns;  // rows x 2 per column of blocks
};

template <int BX, int BY>
__global__ void rims_kernel(const Grid<const double> temperature, const BlockRims<double> rims) {
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * BY + y;
    const int column = blockIdx.x * BX + x;
    if (row >= temperature.rows() || column >= temperature.columns()) return;
    const bool in_row = y == 0 || y == BY - 1;
    const bool in_column = x == 0 || x == BX - 1;
    if (!in_row && !in_column) return;
    const double t = temperature(row, column);
    if (in_row) rims.rows(2 * blockIdx.y + (y == 0 ? 0 : 1), column) = t;
    if (in_column) rims.columns(row, 2 * blockIdx.x + (x == 0 ? 0 : 1)) = t;
}

template <int BX, int BY>
__global__ void __launch_bounds__(BX* BY)
    side_buffer_kernel(const Views<sciara_fv2::Exchange> views,
                       const BlockRims<const double> rims) {
    using Temperatures = Temperature<1>;
    __shared__ Tile<double, BY + 2, BX + 2> temperatures;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int block_row = blockIdx.y;
    const int block_column = blockIdx.x;
    const int row = block_row * BY + y;
    const int column = block_column * BX + x;
    const bool inside = views.inside(row, column);
    constexpr double none = Temperatures::outside();
    temperatures(y + 1, x + 1) = load_if(inside, views.input(Temperatures{}), row, column, none);
    // Halo: one thread per cell, first the cells above and below.
    constexpr int width = BX + 2;
    constexpr int ring = 2 * width + 2 * BY;
    static_assert(ring <= 2 * BX * BY);
#pragma unroll 1
    for (int i = y * BX + x; i < ring; i += BX * BY) {
        const bool above_or_below = i < 2 * width;
        const int side = i - 2 * width;
        const int tile_row = above_or_below ? i / width * (BY + 1) : side / 2 + 1;
        const int tile_column = above_or_below ? i % width : side % 2 * (BX + 1);
        const int r = block_row * BY + tile_row - 1;
        const int c = block_column * BX + tile_column - 1;
        const bool there = views.inside(r, c);
        const double of_row = load_if(there && above_or_below, rims.rows,
                                      2 * block_row + (tile_row == 0 ? -1 : 2), c, none);
        const double of_column = load_if(there && !above_or_below, rims.columns, r,
                                         2 * block_column + (tile_column == 0 ? -1 : 2), none);
        temperatures(tile_row, tile_column) = above_or_below ? of_row : of_column;
    }
    __syncthreads();

    if (!inside) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (std::is_same_v<Tag, Temperatures>)
            return temperatures(y + 1 + drow, x + 1 + dcol, site);
        else
            return views.input(tag)(row + drow, column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

// Adds the rims to the store's fields; their shapes differ from the board's.
template <int BX, int BY>
class RimsStage final : public Stage {
  public:
    explicit RimsStage(const StageContext& context)
        : context_(context), shape_(covering(context.problem.size, Region{BX, BY})) {
        const auto add = [&](const char* field, int columns, int rows) {
            constexpr std::byte zero[sizeof(double)] = {};
            context_.store.add(field, ElementType::float64,
                               Layout::make(columns, rows, 0, unaligned, sizeof(double)), zero,
                               Buffers::one);
        };
        const Size size = context.problem.size;
        add(rows_field, size.columns, 2 * static_cast<int>(shape_.grid.y));
        add(columns_field, 2 * static_cast<int>(shape_.grid.x), size.rows);
    }

    void enqueue(int) override {
        constexpr const char* field = sciara_fv2::NewTemperature::field;
        launch(context_.queue, "rims", shape_, rims_kernel<BX, BY>,
               grid<const double>(context_, field), rims<double>(context_));
    }

    template <class T>
    static BlockRims<T> rims(const StageContext& context) {
        return {grid<T>(context, rows_field), grid<T>(context, columns_field)};
    }

  private:
    static constexpr const char* rows_field = "rim_rows";
    static constexpr const char* columns_field = "rim_columns";

    template <class T>
    static Grid<T> grid(const StageContext& context, const char* field) {
        return {static_cast<T*>(context.store.current(field)), context.store.layout(field), field};
    }

    StageContext context_;
    LaunchShape shape_;
};

// Works in place: each field has one buffer, which is both the current and the next one.
template <int BX, int BY>
class SideBufferStage final : public RuleStage<sciara_fv2::Exchange> {
  public:
    explicit SideBufferStage(const StageContext& context)
        : RuleStage(context),
          context_(context),
          shape_(covering(context.problem.size, Region{BX, BY})) {}

    void enqueue(int number) override {
        launch(queue(), sciara_fv2::Exchange::step, shape_, side_buffer_kernel<BX, BY>,
               views(number), RimsStage<BX, BY>::template rims<const double>(context_));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
};

// Choices of the two steps, derived from the plans `like` of the other steps.
struct SideBuffer {
    static constexpr TechniqueInfo info{
        "side_buffer", "tile and halo in shared memory, updated in place, old rims put aside",
        "public GPU versions of SCIARA-fv2; tiled with a halo", Family::shared_memory};

    static std::vector<StepPlan> rims(const StepPlan& like) {
        return {rims_plan<8, 8>(like), rims_plan<16, 16>(like), rims_plan<32, 8>(like),
                rims_plan<32, 32>(like)};
    }
    // `like` is a plan of the rule Exchange.
    static std::vector<StepPlan> exchange(const StepPlan& like) {
        return {exchange_plan<8, 8>(like), exchange_plan<16, 16>(like), exchange_plan<32, 8>(like),
                exchange_plan<32, 32>(like)};
    }

  private:
    template <class OwnStage>
    static StepPlan with_block(StepPlan plan, Region block) {
        plan.shape = {.block = block};
        plan.make = makes<OwnStage>();
        return plan;
    }
    template <int BX, int BY>
    static StepPlan rims_plan(const StepPlan& like) {
        StepPlan plan = with_block<RimsStage<BX, BY>>(like, {BX, BY});
        plan.step = "rims";
        plan.fields = {reads(sciara_fv2::NewTemperature::field, ElementType::float64)};
        return plan;
    }
    template <int BX, int BY>
    static StepPlan exchange_plan(const StepPlan& like) {
        StepPlan plan = with_block<SideBufferStage<BX, BY>>(like, {BX, BY});
        count_as_updated(plan, sciara_fv2::NewThickness::field);
        count_as_updated(plan, sciara_fv2::NewTemperature::field);
        plan.shape.shared_bytes = sizeof(double) * (BX + 2) * (BY + 2);
        return plan;
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv2 {
namespace {

constexpr const char* ports = "public GPU versions of SCIARA-fv2";

void pipelines(Registry& registry, const char* name, const StepChoices& steps) {
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, name, steps);
}

// Adds mappings to all steps that the techniques fit.
void add_mappings(Registry& registry) {
    using Techniques = TechniqueList<RowOnX, RingBlock, SeveralCells>;
    const auto cooling = step_choices<Cooling, Techniques, PlainBlocks>();
    pipelines(registry, "four_kernels",
              {emission_choices(cooling), step_choices<Outflows, Techniques>(),
               step_choices<Exchange, Techniques>(), cooling});
}

template <class... More>
struct PlainSteps {
    using Blocks = TechniqueList<PlainBlocks, More...>;
    std::vector<StepPlan> outflows = step_choices<Outflows, Blocks>();
    std::vector<StepPlan> exchange = step_choices<Exchange, Blocks>();
    std::vector<StepPlan> cooling = step_choices<Cooling, Blocks>();
};

// Adds the hand-over of the public programs, which update solidified lava in place.
void add_hand_overs(Registry& registry) {
    PlainSteps<> plain;
    for (StepPlan& plan : plain.cooling) count_as_updated(plan, NewSolidified::field);
    const auto frame = step_choices<FrameClearing, TechniqueList<PlainBlocks>>();
    const auto emission = emission_choices(plain.cooling);
    pipelines(
        registry, "five_kernels",
        renamed({emission, plain.outflows, plain.exchange, plain.cooling, frame},
                {"swap_hand_over", "as copy_hand_over, by exchanging pointers in place of copies",
                 ports, Family::global_memory}));
    const auto copied = [](const std::vector<StepPlan>& plans, bool altitude, Results results) {
        std::vector<std::string> fields{NewThickness::field, NewTemperature::field};
        if (altitude) fields.push_back(NewAltitude::field);
        return plans_like(
            plans, [&](const StepPlan& plan) { return copied_after(plan, fields, results); });
    };
    pipelines(
        registry, "five_kernels",
        renamed({copied(emission, false, Results::current), plain.outflows,
                 copied(plain.exchange, false, Results::next),
                 copied(plain.cooling, true, Results::next), copied(frame, false, Results::next)},
                {"copy_hand_over",
                 "all reads from global memory, buffers handed over by nine copies a step", ports,
                 Family::global_memory}));
}

void add_side_buffer(Registry& registry) {
    const PlainSteps<GlobalIn<Region{32, 32}>> plain;
    const auto cooling = plans_like(plain.cooling, in_place<Cooling>);
    pipelines(
        registry, "five_kernels",
        renamed({emission_choices(cooling), plain.outflows, SideBuffer::rims(plain.cooling.front()),
                 SideBuffer::exchange(plain.exchange.front()), cooling},
                SideBuffer::info));
}

const Registration sciara_fv2_further_forms_variants([](Registry& registry) {
    add_mappings(registry);
    add_hand_overs(registry);
    add_side_buffer(registry);
});

}  // namespace

// SCIARA-fv2 in a single kernel, with the reference's arithmetic by library functions and by shorter
// ones, and with another arithmetic that is shorter still. Double precision, compiled without
// contraction of products and sums, like the other kernels of the workload. Not in an unnamed
// namespace: nvcc gives all those of a unit one name, which would be ambiguous here.
const Registration sciara_fv2_fused_variants([](Registry& registry) {
    OneKernel::add<CanonicalLava, 16, 16>(registry);
    OneKernel::add<CanonicalLava, 16, 16, 2>(registry);
    OneKernel::add<RoundedLava, 8, 8>(registry);
    OneKernel::add<RoundedLava, 16, 12, 2>(registry);
    OneKernel::add<RoundedLava, 16, 16, 2>(registry);
    OneKernel::add<ShortLava, 8, 8>(registry);
    OneKernel::add<ShortLava, 16, 16>(registry);
    OneKernel::add<ShortLava, 16, 12, 2>(registry);
    OneKernel::add<ShortLava, 16, 16, 2>(registry);
    OneKernel::add<ShortLava, 24, 20, 4>(registry);
});

}  // namespace camber::sciara_fv2
