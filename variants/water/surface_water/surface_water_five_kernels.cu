// Surface water in its first form, five kernels: rain, infiltration, outflow, scatter, settle.
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/water/surface_water/rules.hpp"

// scatter: the first form of the surface-water model, in which every cell distributes its water to
// its neighbors' accumulators, on a GPU by atomic additions. Their order, and so the rounding,
// varies from run to run. This is no cellular automaton in the strict sense; the revised model
// gathers instead. Balasalle 2011, section 6.1.
CAMBER_WORKLOAD_BEGIN(surface_water)

template <class T>
__global__ void scatter_kernel(const Grid<const T> terrain, const Grid<const T> depth,
                               const Grid<const T> per_drop, const Grid<T> gain) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= depth.rows() || column >= depth.columns()) return;
    const T outflow = per_drop(row, column);
    const T own_terrain = terrain(row, column);
    const T own_depth = depth(row, column);
    surface_water::each_neighbour([&](int, int dcol, int drow) {
        const T neighbour_terrain = terrain(row + drow, column + dcol);
        const T neighbour_depth = depth(row + drow, column + dcol);
        const T given = surface_water::share<T>(
            outflow,
            surface_water::drop<T>(own_terrain, own_depth, neighbour_terrain, neighbour_depth));
        const Site site = Site::current();
        if (given > 0)
            atomicAdd(&gain(row + drow, column + dcol, site), given);
        else
            skip(site);
    });
}

// Adds to the gain in place.
template <class T>
class ScatterStage final : public Stage {
  public:
    ScatterStage(const StageContext& context, Region block)
        : context_(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", shape_, scatter_kernel<T>, input("terrain"),
               input("depth"), input("outflow_per_drop"),
               Grid<T>(static_cast<T*>(context_.store.current("gain")),
                       context_.store.layout("gain"), "gain"));
    }

  private:
    Grid<const T> input(const char* field) const {
        return {static_cast<const T*>(context_.store.current(field)), context_.store.layout(field),
                field};
    }

    StageContext context_;
    LaunchShape shape_;
};

// Plan of the scatter step. Its output counts as an input only, because the kernel changes current
// values in place.
template <class T>
StepPlan scatter_plan(const StepPlan& like) {
    StepPlan plan = like;
    plan.step = "scatter";
    plan.shape.halo = 1;
    plan.fields.clear();
    for (const char* field : {"terrain", "depth", "outflow_per_drop", "gain"})
        plan.fields.push_back(reads(field, element_of<T>()));
    const T outside = surface_water::inert_terrain<T>;
    std::memcpy(plan.fields.front().outside.data(), &outside, sizeof(T));
    plan.make = makes<ScatterStage<T>>(like.shape.block);
    return plan;
}

CAMBER_TARGET_END

namespace camber::surface_water {

namespace {

constexpr TechniqueInfo scatter{"scatter", "water handed out to the neighbours by atomic additions",
                                "Balasalle 2011, section 6.1", Family::global_memory};

const Registration surface_water_five_kernels_variants([](Registry& registry) {
    using Plain = TechniqueList<Halo>;
    StepChoices steps{step_choices<Rain<float>, Plain>(),
                      step_choices<Infiltration<float>, Plain>(),
                      step_choices<Outflow<float>, Plain>(),
                      {},
                      step_choices<Settle<float>, Plain>()};
    steps[3] = plans_like(steps[2], scatter_plan<float>);
    add_pipelines(registry, "surface_water", ElementType::float32, target_backend, "five_kernels",
                  renamed(steps, scatter));
});

}  // namespace
}  // namespace camber::surface_water
