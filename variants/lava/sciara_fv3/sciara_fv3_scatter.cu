// SCIARA-fv3 with atomic additions instead of flow fields, on global memory and with cells staged
// in shared memory.
#include "variants/lava/sciara_fv3/scatter.hpp"
#include "variants/lava/sciara_fv3/staged_block.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/halo.hpp"

// atomics_tile: like atomics, with altitude and thickness of a block and its halo staged in shared
// memory, for the candidates and for the scattered flows. It is the "atomic function hybrid memory"
// of the thesis on SCIARA-fv3, whose hybrid memory stages data that a kernel reads at least three
// times.
CAMBER_WORKLOAD_BEGIN(sciara_fv3)

template <class R, int BX, int BY>
__global__ void scatter_tile_fv3_kernel(const Views<ScatteredRule<R>> views,
                                        const StateToCome<R> to) {
    using Tiles = BlockTiles<ScatteredRule<R>, BX, BY>;
    __shared__ Tiles tiles;
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    stage_block<BX, BY>(views, tiles, first_row, first_column);
    __syncthreads();

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (row >= views.rows || column >= views.columns) return;
    hand_on<CentreSums::in_memory, R>(
        views, to, row, column,
        StagedRead<ScatteredRule<R>, Tiles>{views, tiles, row, column}, [](int, int) {});
}

template <class R, int BX, int BY>
class ScatterTileFv3Stage final : public Stage {
  public:
    explicit ScatterTileFv3Stage(const StageContext& context)
        : context_(context), shape_(covering(context.problem.size, Region{BX, BY})) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", shape_, scatter_tile_fv3_kernel<R, BX, BY>,
               before_exchange<R>(context_), state_to_come<R>(context_.store));
    }

  private:
    StageContext context_;
    LaunchShape shape_;
};

template <class R, int BX, int BY>
StepPlan scatter_tile_fv3_plan(const StepPlan& like) {
    StepPlan plan = scatter_plan_like<R>(like);
    plan.shape.shared_bytes = staged_bytes<ScatteredRule<R>>({BX + 2, BY + 2});
    plan.make = makes<ScatterTileFv3Stage<R, BX, BY>>();
    return plan;
}

// Candidates in the only block in which six_kernels has shared_tile.
template <int BX, int BY>
struct TileOfCandidates {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(SharedTile::info, shared_tile_variant<Rule, BX, BY, 1>(128));
    }
};
template <int BX, int BY>
struct HaloLikeTile {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(Halo::info, Halo::variant<Rule>({BX, BY}, 128));
    }
};

template <class R>
void add_scatter_tile(Registry& registry) {
    constexpr int side = 16;
    using Plain = HaloLikeTile<side, side>;
    const auto candidates =
        choices_of<Candidates<R, Trigonometry::branching>, TileOfCandidates<side, side>>();
    add_pipelines(
        registry, "sciara_fv3", element_of<R>(), target_backend, "",
        renamed({plans_like(candidates, emission_fv3_plan<R>), candidates,
                 plans_like(candidates, clock_plan<R>), choices_of<HeatSwitch<R>, Plain>(),
                 plans_like(candidates, scatter_tile_fv3_plan<R, side, side>),
                 choices_of<CoolingOfHeat<R>, Plain>()},
                {"atomics_tile",
                 "as atomics, altitude and thickness staged in shared memory with their ring",
                 "thesis on SCIARA-fv3, atomic function hybrid memory", Family::shared_memory}));
}

CAMBER_TARGET_END

namespace camber::sciara_fv3 {

// Steps: emission, candidates for the clock, the clock, the heat switch, the scatter, and a cooling
// that reads heat.

namespace {

template <class R>
void add(Registry& registry) {
    const auto cooling = choices_of<CoolingOfHeat<R>, PlainBlocks>();
    const auto emission = plans_like(cooling, emission_fv3_plan<R>);
    const auto candidates = choices_of<Candidates<R, Trigonometry::branching>, PlainBlocks>();
    const auto clock = plans_like(cooling, clock_plan<R>);
    const auto heat_switch = choices_of<HeatSwitch<R>, PlainBlocks>();
    const auto pipelines = [&](StepPlan (*scatter)(const StepPlan&), const TechniqueInfo& info) {
        add_pipelines(registry, "sciara_fv3", element_of<R>(), target_backend, "",
                      renamed({emission, candidates, clock, heat_switch,
                               plans_like(cooling, scatter), cooling},
                              info));
    };
    constexpr const char* source = "thesis on SCIARA-fv3, atomic operations";
    pipelines(scatter_fv3_plan<R, R, CentreSums::in_memory>,
              {"atomics", "outflows handed on by atomic additions, six for each", source,
               Family::global_memory});
    pipelines(scatter_fv3_plan<R, R, CentreSums::in_registers>,
              {"atomics_centre", "as atomics, a cell's own losses summed in registers", source,
               Family::global_memory});
    if constexpr (sizeof(R) == sizeof(unsigned long long))
        pipelines(scatter_fv3_plan<R, unsigned long long, CentreSums::in_registers>,
                  {"atomics_cas", "as atomics_centre, additions made of compare-and-swap", source,
                   Family::global_memory});
}

const Registration sciara_fv3_scatter_variants([](Registry& registry) {
    add<double>(registry);
    add<float>(registry);
    add_scatter_tile<double>(registry);
    add_scatter_tile<float>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv3
