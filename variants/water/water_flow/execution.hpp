// Water flow on a queue: its fields, and the two launches of a step.
#pragma once

#include <span>

#include "harness/machine/queue/field_store.hpp"
#include "harness/registry/execution.hpp"
#include "variants/water/water_flow/kernels.hpp"

CAMBER_WORKLOAD_BEGIN(water_flow)

template <class T>
struct WaterFlowKernels {
    void (*best_levels)(Grid<const T> terrain, Grid<const T> level, Grid<T> best_levels);
    void (*distribute)(Grid<const T> terrain, Grid<const T> sources, Grid<const T> best_levels,
                       Grid<T> level);
};

// The kernels of one technique, for any field and for those whose sides 16 divides.
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
    // Rows start at multiples of 64 bytes: the published counts want no less, and no more.
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
        // The level is written where it was read: no second buffer.
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

    // The level is input and output at once and stays; what a step must write before it reads are
    // the best levels.
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

    // The halves of a step.
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
