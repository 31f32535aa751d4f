// SCIARA-fv3 launched on the cells that lava can reach, gathering and scattering.
#include <memory>
#include <vector>

#include "variants/lava/active/techniques.hpp"
#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/scatter.hpp"
#include "variants/lava/sciara_fv3/staged_block.hpp"
#include "variants/stencil/catalogue.hpp"

// The steps of SCIARA-fv3 over launch sets: emission by the list of vents, candidates and clock in
// one, outflow, exchange and cooling.
CAMBER_TARGET_BEGIN

template <class R>
struct Spreading<sciara_fv3::Exchange<R>> {
    using Before = sciara_fv3::Thickness<R, 0>;
};

CAMBER_TARGET_END

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// First kernel, one block: vents emit, and the set for this step is taken over.
template <class R>
__global__ void vents_fv3_kernel(const VentCells vents, const EmissionFv3Views<R> views,
                                 const Grid<int> record) {
    hand_over(record);
    vents.visit([&](int row, int column, int vent) { views.emit(row, column, vent); });
}

// Same as fused_candidate_kernel over the set. Cells outside of it allow the longest step, so they
// do not affect the minimum.
template <class R, class Set>
__global__ void set_candidate_fv3_kernel(
    const Views<sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>> views,
    const Set set, const Grid<BitsOf<R>> least) {
    R value = views.parameters.longest;
    const bool any = set.visit([&](int row, int column) {
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        value = smaller(value, apply(views, read));
    });
    if (any) take_block_minimum(value, least);
}

template <class R>
class VentsFv3Stage final : public Stage {
  public:
    VentsFv3Stage(const StageContext& context, ActiveCells* cells)
        : context_(context), emission_(context), cells_(*cells) {}

    void enqueue(int number) override {
        cells_.begin_step(number, context_.store);
        launch(context_.queue, "emission", {{1}, {vent_threads}}, vents_fv3_kernel<R>,
               cells_.vents(), emission_.views(), cells_.record());
    }

  private:
    StageContext context_;
    EmissionFv3<R> emission_;
    ActiveCells& cells_;
};

template <class R, class Cells>
class SetCandidateFv3Stage final : public ClockStage<R> {
  public:
    SetCandidateFv3Stage(const StageContext& context, const Cells* cells)
        : ClockStage<R>(context), cells_(*cells) {}

  private:
    void enqueue_minimum() override {
        using Rule = sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>;
        launch(this->context_.queue, "fused_minimum", cells_.shape(),
               set_candidate_fv3_kernel<R, typename Cells::Set>, input_views<Rule>(this->context_),
               cells_.set(), this->least_);
    }

    const Cells& cells_;
};

template <class R>
struct SciaraFv3Sets {
    static constexpr const char* workload = "sciara_fv3";
    static constexpr ElementType cell = element_of<R>();

    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        constexpr Trigonometry form = Trigonometry::branching;
        StepPlan emission = emission_fv3_plan<R>(like);
        emission.make = makes<VentsFv3Stage<R>>(cells);
        StepPlan clock = rule_plan<Candidates<R, form>>(like);
        std::erase_if(clock.fields, [](const FieldUse& use) { return use.written; });
        clock.make = makes<SetCandidateFv3Stage<R, Cells>>(cells);
        std::vector<StepPlan> plans{emission, clock, launch_set_plan<Outflow<R, form>>(like, cells),
                                    launch_set_plan<Exchange<R>>(like, cells),
                                    launch_set_plan<Cooling<R>>(like, cells)};
        // Removes the clock, a field with one cell, from the fields that plans share.
        for (StepPlan& plan : plans)
            std::erase_if(plan.fields, [](const FieldUse& use) { return use.name == clock_field; });
        return plans;
    }

    // Cells without lava but with momentum count as active, because a step removes the momentum. So
    // do cells with solid lava: an uninterrupted run still launches all cells that lava has reached.
    static lava::Mask find_active(const State& initial) {
        lava::Mask mask(static_cast<std::size_t>(initial.field(vents_field).size().cells()));
        for (const char* field : {thickness_field, momentum_x_field, momentum_y_field,
                                  solidified_field}) {
            const auto cells = initial.field(field).cells<R>();
            for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = mask[i] != 0 || cells[i] != 0;
        }
        return mask;
    }
};

CAMBER_TARGET_END

// Scattering SCIARA-fv3 over launch sets, as combined in the thesis: atomic additions on the box of
// active cells, and on their list. A cell that gives lava to a cell without lava adds that cell to
// the set.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R, class Set>
__global__ void scatter_set_fv3_kernel(const Views<ScatteredRule<R>> views, const StateToCome<R> to,
                                       const Set set) {
    set.visit([&](int row, int column) {
        hand_on<CentreSums::in_registers, R>(views, to, row, column,
                                             [&](int r, int c) { set.add(r, c); });
    });
}

template <class R, class Cells>
class ScatterSetFv3Stage final : public Stage {
  public:
    ScatterSetFv3Stage(const StageContext& context, const Cells* cells)
        : context_(context), cells_(*cells) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", cells_.shape(),
               scatter_set_fv3_kernel<R, typename Cells::Set>, before_exchange<R>(context_),
               state_to_come<R>(context_.store), cells_.set());
    }

  private:
    StageContext context_;
    const Cells& cells_;
};

// Both kernels that read neighbors, on the box, with altitude and thickness of a block and its halo
// staged in shared memory.
template <class R, int BX, int BY>
__global__ void box_tile_candidate_fv3_kernel(
    const Views<sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>> views,
    const BoxSet set, const Grid<BitsOf<R>> least) {
    using Rule = sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>;
    using Tiles = BlockTiles<Rule, BX, BY>;
    __shared__ Tiles tiles;
    R value = views.parameters.longest;
    const bool any = set.visit_blocks([&](int first_row, int first_column, const lava::Box& box) {
        stage_block<BX, BY>(views, tiles, first_row, first_column);
        __syncthreads();
        const int row = first_row + static_cast<int>(threadIdx.y);
        const int column = first_column + static_cast<int>(threadIdx.x);
        if (row < box.end_row && column >= box.first_column && column < box.end_column)
            value = smaller(value,
                            apply(views, StagedRead<Rule, Tiles>{views, tiles, row, column}));
        __syncthreads();
    });
    if (any) take_block_minimum(value, least);
}

template <class R, int BX, int BY>
__global__ void box_tile_scatter_fv3_kernel(const Views<ScatteredRule<R>> views,
                                            const StateToCome<R> to, const BoxSet set) {
    using Tiles = BlockTiles<ScatteredRule<R>, BX, BY>;
    __shared__ Tiles tiles;
    set.visit_blocks([&](int first_row, int first_column, const lava::Box& box) {
        stage_block<BX, BY>(views, tiles, first_row, first_column);
        __syncthreads();
        const int row = first_row + static_cast<int>(threadIdx.y);
        const int column = first_column + static_cast<int>(threadIdx.x);
        if (row < box.end_row && column >= box.first_column && column < box.end_column)
            hand_on<CentreSums::in_registers, R>(
                views, to, row, column,
                StagedRead<ScatteredRule<R>, Tiles>{views, tiles, row, column},
                [&](int r, int c) { set.add(r, c); });
        __syncthreads();
    });
}

template <class R, int BX, int BY>
class BoxTileCandidateFv3Stage final : public ClockStage<R> {
  public:
    BoxTileCandidateFv3Stage(const StageContext& context, const LaunchBoxes* cells)
        : ClockStage<R>(context), cells_(*cells) {}

  private:
    void enqueue_minimum() override {
        using Rule = sciara_fv3::Candidates<R, sciara_fv3::Trigonometry::branching>;
        launch(this->context_.queue, "fused_minimum", cells_.shape(),
               box_tile_candidate_fv3_kernel<R, BX, BY>, input_views<Rule>(this->context_),
               cells_.set(), this->least_);
    }

    const LaunchBoxes& cells_;
};

template <class R, int BX, int BY>
class BoxTileScatterFv3Stage final : public Stage {
  public:
    BoxTileScatterFv3Stage(const StageContext& context, const LaunchBoxes* cells)
        : context_(context), cells_(*cells) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", cells_.shape(), box_tile_scatter_fv3_kernel<R, BX, BY>,
               before_exchange<R>(context_), state_to_come<R>(context_.store), cells_.set());
    }

  private:
    StageContext context_;
    const LaunchBoxes& cells_;
};

template <class R>
struct SciaraFv3ScatterSets : SciaraFv3Sets<R> {
    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        std::vector<StepPlan> plans = SciaraFv3Sets<R>::plans(like, cells);
        plans.resize(2);  // emission and clock
        plans.push_back(launch_set_plan<HeatSwitch<R>>(like, cells));
        plans.push_back(scatter_plan_like<R>(like));
        plans.back().make = makes<ScatterSetFv3Stage<R, Cells>>(cells);
        plans.push_back(launch_set_plan<CoolingOfHeat<R>>(like, cells));
        std::erase_if(plans.back().fields,
                      [](const FieldUse& use) { return use.name == clock_field; });
        return plans;
    }
};

template <class R, int BX, int BY>
struct SciaraFv3ScatterTiles : SciaraFv3ScatterSets<R> {
    static std::vector<StepPlan> plans(const StepPlan& like, LaunchBoxes* cells) {
        std::vector<StepPlan> plans = SciaraFv3ScatterSets<R>::plans(like, cells);
        using Candidate = Candidates<R, Trigonometry::branching>;
        plans[1].shape.shared_bytes = staged_bytes<Candidate>({BX + 2, BY + 2});
        plans[1].make = makes<BoxTileCandidateFv3Stage<R, BX, BY>>(cells);
        plans[3].shape.shared_bytes = staged_bytes<ScatteredRule<R>>({BX + 2, BY + 2});
        plans[3].make = makes<BoxTileScatterFv3Stage<R, BX, BY>>(cells);
        return plans;
    }
};

template <class R, int BX, int BY>
void add_scatter_tiles(Registry& registry) {
    static constexpr TechniqueInfo tile{
        "atomics_box_tile",
        "as atomics_bounding_box, altitude and thickness staged in shared memory with their ring",
        "thesis on SCIARA-fv3, atomic function hybrid memory", Family::shared_memory};
    constexpr Region block{BX, BY};
    LaunchSetVariants<SciaraFv3ScatterTiles<R, BX, BY>>(registry).add_boxes(
        tile, "device/" + block.name() + "/from32", block,
        {.column_multiple = LaunchSets::columns_in_line});
}

template <class R>
void add_scatter_sets(Registry& registry) {
    static constexpr const char* source = "thesis on SCIARA-fv3, atomic operations";
    static constexpr TechniqueInfo box{
        "atomics_bounding_box", "as atomics_centre, on the box of all cells that lava has reached",
        source, Family::global_memory};
    static constexpr TechniqueInfo list{
        "atomics_active_list", "as atomics_centre, on a list of the cells with or beside lava",
        source, Family::global_memory};
    static constexpr TechniqueInfo sorted{
        "atomics_sorted_list", "as atomics_active_list, in ascending order every m steps", source,
        Family::global_memory};
    LaunchSetVariants<SciaraFv3ScatterSets<R>> variants(registry);
    constexpr int multiple = LaunchSets::columns_in_line;
    for (const Region block : {Region{64, 4}, Region{16, 16}})
        variants.add_boxes(box, "device/" + block.name() + "/from32", block,
                           {.column_multiple = multiple});
    variants.add_boxes(box, "host/64x4/from32/k32", {64, 4},
                       {.column_multiple = multiple, .read_every = 32});
    variants.add_list(list, "128x1", {.threads = 128});
    variants.add_list(list, "256x1", {});
    for (const int steps : {16, 128})
        variants.add_list(sorted, "256x1/m" + std::to_string(steps), {.sort_every = steps});
}

CAMBER_TARGET_END

namespace camber::sciara_fv3 {

namespace {

const Registration sciara_fv3_active_sets_variants([](Registry& registry) {
    LaunchSetVariants<SciaraFv3Sets<double>>(registry).add_all();
    LaunchSetVariants<SciaraFv3Sets<float>>(registry).add_all();
    add_scatter_sets<double>(registry);
    add_scatter_sets<float>(registry);
    add_scatter_tiles<double, 16, 16>(registry);
    add_scatter_tiles<float, 16, 16>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv3
