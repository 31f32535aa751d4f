// Published kernels of water flow (Topa and Mlocek 2013) with one thread per cell, and their two
// launches per step on a queue.
#pragma once

#include <span>

#include "harness/machine/kernel/vocabulary.hpp"
#include "harness/machine/queue/field_store.hpp"
#include "harness/registry/execution.hpp"
#include "variants/stencil/views.hpp"
#include "workloads/water/water_flow/rule.hpp"

// Shared-memory buffer of the water-flow kernels: a block's cells and the four adjacent edges. Topa
// and Mlocek 2013, section 3.
CAMBER_WORKLOAD_BEGIN(water_flow)

inline constexpr int water_flow_block = 16;  // threads, and cells, of a block in both directions
inline constexpr int water_flow_buffer_rows = water_flow_block + 2;

// Columns of the buffer. Lanes store the edge columns with a stride of the buffer's width; with 16
// banks, an odd width is free of conflicts and 18 is not: the published width is 19. With 32 banks,
// where a warp stores both columns at once, the opposite is true.
inline constexpr int published_buffer_width = 19;
inline constexpr int narrow_buffer_width = 18;

template <class T, int Width>
using WaterFlowBuffer = Tile<T, water_flow_buffer_rows, Width>;

// Loads the block's cells, whose first one is (first_row, first_column), and their edges into
// `buffer`, each cell shifted by one row and one column. The first four rows of threads load the
// edges: the row above and the one below, the column on the left and the one on the right. Corners
// stay unwritten, and with Fit::overhang, cells beyond the field and its halo of one cell do, too.
template <Fit fit, class T, int Width>
CAMBER_DEVICE void stage_with_edges(const Grid<const T>& field, WaterFlowBuffer<T, Width>& buffer,
                                    int first_row, int first_column) {
    const Window<const T> window = field.window(first_row, first_column);
    const int rows = field.rows() + 1 - first_row;
    const int columns = field.columns() + 1 - first_column;
    const auto exists = [&](int row, int column) {
        return fit == Fit::exact || (row < rows && column < columns);
    };
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    if (exists(y, x)) buffer(y + 1, x + 1) = window(y, x);
    if (y < 2) {
        const int row = (water_flow_block + 1) * y;
        if (exists(row - 1, x)) buffer(row, x + 1) = window(row - 1, x);
    } else if (y < 4) {
        const int column = (water_flow_block + 1) * (y - 2);
        if (exists(x, column - 1)) buffer(x + 1, column) = window(x, column - 1);
    }
    __syncthreads();
}

CAMBER_TARGET_END

// Kernels of a water-flow step: one thread per cell, blocks of 16x16. Topa and Mlocek 2013,
// Listings 1 and 2 (global memory) and section 3 (shared memory).
//
// Fields have a halo of one cell with the outside values that rule.hpp defines, so that no address
// depends on the edge.
CAMBER_WORKLOAD_BEGIN(water_flow)

// True if a cell of a block is in the field; a block that overhangs the field has other cells.
template <Fit fit, class T>
CAMBER_DEVICE bool in_field(const Grid<T>& field, int row, int column) {
    return fit == Fit::exact || (row < field.rows() && column < field.columns());
}

template <class T, Fit fit>
__global__ void best_levels_global(const Grid<const T> terrain, const Grid<const T> level,
                                   const Grid<T> best_levels) {
    const int row = blockIdx.y * water_flow_block + threadIdx.y;
    const int column = blockIdx.x * water_flow_block + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T up = level(row - 1, column);
    const T left = level(row, column - 1);
    const T right = level(row, column + 1);
    const T down = level(row + 1, column);
    best_levels(row, column) = water_flow::best_level(ground, own, up, left, right, down);
}

// In place: a thread reads no level except the one that it writes.
template <class T, Fit fit>
__global__ void distribute_global(const Grid<const T> terrain, const Grid<const T> sources,
                                  const Grid<const T> best_levels, const Grid<T> level) {
    const int row = blockIdx.y * water_flow_block + threadIdx.y;
    const int column = blockIdx.x * water_flow_block + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T source = sources(row, column);
    const T best = best_levels(row, column);
    const T up = best_levels(row - 1, column);
    const T left = best_levels(row, column - 1);
    const T right = best_levels(row, column + 1);
    const T down = best_levels(row + 1, column);
    level(row, column) =
        water_flow::distributed_level(own, ground, source, best, up, left, right, down);
}

// Reads the neighbors' levels from the buffer.
template <class T, int Width, Fit fit>
__global__ void best_levels_shared(const Grid<const T> terrain, const Grid<const T> level,
                                   const Grid<T> best_levels) {
    __shared__ WaterFlowBuffer<T, Width> buffer;
    const int first_row = blockIdx.y * water_flow_block;
    const int first_column = blockIdx.x * water_flow_block;
    stage_with_edges<fit, T, Width>(level, buffer, first_row, first_column);

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const int r = threadIdx.y + 1;
    const int c = threadIdx.x + 1;
    const T ground = terrain(row, column);
    const T own = buffer(r, c);
    const T up = buffer(r - 1, c);
    const T left = buffer(r, c - 1);
    const T right = buffer(r, c + 1);
    const T down = buffer(r + 1, c);
    best_levels(row, column) = water_flow::best_level(ground, own, up, left, right, down);
}

// Reads the best levels from the buffer.
template <class T, int Width, Fit fit>
__global__ void distribute_shared(const Grid<const T> terrain, const Grid<const T> sources,
                                  const Grid<const T> best_levels, const Grid<T> level) {
    __shared__ WaterFlowBuffer<T, Width> buffer;
    const int first_row = blockIdx.y * water_flow_block;
    const int first_column = blockIdx.x * water_flow_block;
    stage_with_edges<fit, T, Width>(best_levels, buffer, first_row, first_column);

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!in_field<fit>(level, row, column)) return;
    const int r = threadIdx.y + 1;
    const int c = threadIdx.x + 1;
    const T ground = terrain(row, column);
    const T own = level(row, column);
    const T source = sources(row, column);
    const T best = buffer(r, c);
    const T up = buffer(r - 1, c);
    const T left = buffer(r, c - 1);
    const T right = buffer(r, c + 1);
    const T down = buffer(r + 1, c);
    level(row, column) =
        water_flow::distributed_level(own, ground, source, best, up, left, right, down);
}

CAMBER_TARGET_END

// Water flow on a queue: its fields, and the two launches of a step.
CAMBER_WORKLOAD_BEGIN(water_flow)

template <class T>
struct WaterFlowKernels {
    void (*best_levels)(Grid<const T> terrain, Grid<const T> level, Grid<T> best_levels);
    void (*distribute)(Grid<const T> terrain, Grid<const T> sources, Grid<const T> best_levels,
                       Grid<T> level);
};

// Kernels of one technique, for any field and for fields whose sides are multiples of 16.
template <class T>
struct WaterFlowTechnique {
    WaterFlowKernels<T> overhang;
    WaterFlowKernels<T> exact;
};

template <class T>
WaterFlowTechnique<T> water_flow_global() {
    return {{best_levels_global<T, Fit::overhang>, distribute_global<T, Fit::overhang>},
            {best_levels_global<T, Fit::exact>, distribute_global<T, Fit::exact>}};
}

template <class T, int Width>
WaterFlowTechnique<T> water_flow_shared() {
    return {
        {best_levels_shared<T, Width, Fit::overhang>, distribute_shared<T, Width, Fit::overhang>},
        {best_levels_shared<T, Width, Fit::exact>, distribute_shared<T, Width, Fit::exact>}};
}

template <class T>
class WaterFlowExecution final : public Execution {
  public:
    // Alignment of rows in bytes: the published counts result from exactly this alignment.
    static constexpr int row_alignment = 64;

    WaterFlowExecution(Queue& queue, Size size, const WaterFlowTechnique<T>& technique)
        : queue_(queue),
          size_(size),
          kernels_(size.columns % water_flow_block == 0 && size.rows % water_flow_block == 0
                       ? technique.exact
                       : technique.overhang),
          layout_(Layout::make(size.columns, size.rows, 1, row_alignment, sizeof(T))),
          store_(queue),
          best_levels_(queue, layout_.elements() * sizeof(T)) {
        // In place: the level needs no second buffer.
        add("terrain", water_flow::outside_level<T>);
        add("level", water_flow::outside_level<T>);
        add("sources", T(0));
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        const T outside = water_flow::outside_best_level<T>;
        queue_.fill(best_levels_.get(), layout_.elements(), std::as_bytes(std::span(&outside, 1)));
        poison(Poison::first);
    }
    void download(State& result) override { store_.download(result); }
    std::optional<CellsView> view(std::string_view field) const override {
        return store_.view(field);
    }

    // Poisons the best levels only: the level is both input and output.
    void poison(Poison poison) override {
        const ByteArea all{.first = static_cast<T*>(best_levels_.get()) + layout_.origin(),
                           .pitch = layout_.pitch * sizeof(T),
                           .rows = static_cast<std::size_t>(size_.rows),
                           .width = size_.columns * sizeof(T),
                           .element = element_of<T>(),
                           .output = "best_levels"};
        queue_.poison({&all, 1}, poison);
    }

    void advance(int generations) override {
        for (int step = 0; step < generations; ++step) {
            find_best_levels();
            distribute();
        }
    }

    // Halves of a step.
    void find_best_levels() {
        launch(queue_, "best_levels", shape(), kernels_.best_levels, input("terrain"),
               input("level"),
               Grid<T>(static_cast<T*>(best_levels_.get()), layout_, "best_levels"));
    }
    void distribute() {
        launch(queue_, "distribute", shape(), kernels_.distribute, input("terrain"),
               input("sources"),
               Grid<const T>(static_cast<const T*>(best_levels_.get()), layout_, "best_levels"),
               Grid<T>(static_cast<T*>(store_.current("level")), layout_, "level"));
    }

  private:
    void add(const char* field, T outside) {
        store_.add(field, element_of<T>(), layout_, std::as_bytes(std::span(&outside, 1)),
                   Buffers::one);
    }
    Grid<const T> input(const char* field) const {
        return {static_cast<const T*>(store_.current(field)), layout_, field};
    }
    LaunchShape shape() const {
        const auto blocks = [](int cells) {
            return static_cast<unsigned>((cells + water_flow_block - 1) / water_flow_block);
        };
        return {{blocks(size_.columns), blocks(size_.rows)}, {water_flow_block, water_flow_block}};
    }

    Queue& queue_;
    Size size_;
    WaterFlowKernels<T> kernels_;
    Layout layout_;
    FieldStore store_;
    Memory best_levels_;
};

CAMBER_TARGET_END
