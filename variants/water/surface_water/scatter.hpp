// scatter, scatter_tile: the first form of the surface-water model, in which every cell distributes
// its water to its neighbors' accumulators, on a GPU by atomic additions. Their order, and so the
// rounding, varies from run to run. This is no cellular automaton in the strict sense; the revised
// model gathers instead. Balasalle 2011, sections 6.1 and 6.3.
#pragma once

#include <cstring>

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/walk.hpp"
#include "workloads/water/surface_water/rules.hpp"

CAMBER_WORKLOAD_BEGIN(surface_water)

// Fields of the scatter step. The gain is changed in place.
template <class T>
struct ScatterGrids {
    Grid<const T> terrain, depth, per_drop;
    Grid<T> gain;
};

template <class T>
CAMBER_DEVICE void add_given(T given, const Grid<T>& gain, int row, int column, Site site) {
    if (given > 0)
        atomicAdd(&gain(row, column, site), given);
    else
        skip(site);
}

// Every share is added to global memory.
template <class T>
__global__ void scatter_kernel(const ScatterGrids<T> grids) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= grids.depth.rows() || column >= grids.depth.columns()) return;
    const T outflow = grids.per_drop(row, column);
    const T own_terrain = grids.terrain(row, column);
    const T own_depth = grids.depth(row, column);
    surface_water::each_neighbour([&](int, int dcol, int drow) {
        const T neighbour_terrain = grids.terrain(row + drow, column + dcol);
        const T neighbour_depth = grids.depth(row + drow, column + dcol);
        const T given = surface_water::share<T>(
            outflow,
            surface_water::drop<T>(own_terrain, own_depth, neighbour_terrain, neighbour_depth));
        add_given(given, grids.gain, row + drow, column + dcol, Site::current());
    });
}

// A block stages ground and water with a halo of one cell, adds all shares up in shared memory, and
// then adds each sum to global memory once: cells of the halo belong to other blocks, which also
// add to this block's edge.
template <class T, int BX, int BY>
__global__ void scatter_tile_kernel(const ScatterGrids<T> grids) {
    __shared__ Tile<T, BY + 2, BX + 2> terrain;
    __shared__ Tile<T, BY + 2, BX + 2> depth;
    __shared__ Tile<T, BY + 2, BX + 2> gain;
    using Walk = ConventionalWalk<BX, BY, 1, true>;

    const int rows = grids.depth.rows();
    const int columns = grids.depth.columns();
    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    Walk::template each<1>([&](int r, int c) {
        const int row = first_row + r - 1;
        const int column = first_column + c - 1;
        const bool is_stored = row <= rows && column <= columns;
        terrain(r, c) =
            load_if(is_stored, grids.terrain, row, column, surface_water::inert_terrain<T>);
        depth(r, c) = load_if(is_stored, grids.depth, row, column, T(0));
        gain(r, c) = T(0);
    });
    __syncthreads();

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    const int r = threadIdx.y + 1;
    const int c = threadIdx.x + 1;
    const T outflow =
        load_if(row < rows && column < columns, grids.per_drop, row, column, T(0));
    const T own_terrain = terrain(r, c);
    const T own_depth = depth(r, c);
    surface_water::each_neighbour([&](int, int dcol, int drow) {
        const T neighbour_terrain = terrain(r + drow, c + dcol);
        const T neighbour_depth = depth(r + drow, c + dcol);
        const T given = surface_water::share<T>(
            outflow,
            surface_water::drop<T>(own_terrain, own_depth, neighbour_terrain, neighbour_depth));
        const Site site = Site::current();
        if (given > 0)
            atomicAdd(&gain(r + drow, c + dcol, site), given);
        else
            skip(site);
    });
    __syncthreads();

    Walk::template each<1>([&](int at_row, int at_column) {
        const T sum = gain(at_row, at_column);
        add_given(sum, grids.gain, first_row + at_row - 1, first_column + at_column - 1,
                  Site::current());
    });
}

template <class T>
class ScatterStage final : public Stage {
  public:
    using ScatterKernel = void (*)(ScatterGrids<T>);

    ScatterStage(const StageContext& context, Region block, ScatterKernel kernel)
        : context_(context), shape_(covering(context.problem.size, block)), kernel_(kernel) {}

    void enqueue(int) override {
        launch(context_.queue, "scatter", shape_, kernel_,
               ScatterGrids<T>{input("terrain"), input("depth"), input("outflow_per_drop"),
                               {static_cast<T*>(context_.store.current("gain")),
                                context_.store.layout("gain"), "gain"}});
    }

  private:
    Grid<const T> input(const char* field) const {
        return {static_cast<const T*>(context_.store.current(field)), context_.store.layout(field),
                field};
    }

    StageContext context_;
    LaunchShape shape_;
    ScatterKernel kernel_;
};

// Plan of the scatter step without a stage factory. Its output counts as an input only, because the
// kernel changes current values in place.
template <class T>
StepPlan scatter_plan_like(const StepPlan& like) {
    StepPlan plan = like;
    plan.step = "scatter";
    plan.shape.halo = 1;
    plan.shape.shared_bytes = 0;
    plan.fields.clear();
    for (const char* field : {"terrain", "depth", "outflow_per_drop", "gain"})
        plan.fields.push_back(reads(field, element_of<T>()));
    const T outside = surface_water::inert_terrain<T>;
    std::memcpy(plan.fields.front().outside.data(), &outside, sizeof(T));
    return plan;
}

// Plan of the scatter step in global memory.
template <class T>
StepPlan scatter_plan(const StepPlan& like) {
    StepPlan plan = scatter_plan_like<T>(like);
    plan.make = makes<ScatterStage<T>>(like.shape.block, scatter_kernel<T>);
    return plan;
}

// Plan of the scatter step in shared memory.
template <class T, int BX, int BY>
StepPlan scatter_tile_plan(const StepPlan& like) {
    StepPlan plan = scatter_plan_like<T>(like);
    plan.shape.shared_bytes = 3 * sizeof(T) * (BX + 2) * (BY + 2);
    plan.make = makes<ScatterStage<T>>(Region{BX, BY}, scatter_tile_kernel<T, BX, BY>);
    return plan;
}

CAMBER_TARGET_END
