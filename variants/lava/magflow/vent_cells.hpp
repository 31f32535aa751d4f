// vent_gpu: Erupt with a thread per vent cell from a list, as published by Bilotta et al. 2011;
// erupt.hpp has a thread per cell.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "variants/lava/magflow/erupt.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// Row, column and number of a vent cell, a row of three in `cells`.
template <class R>
__global__ void vent_cells_kernel(const Grid<const std::int32_t> cells, const int count,
                                  const Grid<R> emission, const Grid<const double> rates,
                                  const magflow::CurveShape shape, const Grid<const double> time,
                                  const Grid<Word<R>> dt, const R longest_step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) dt(0, 0) = magflow::bits_of(longest_step);
    if (i >= count) return;
    const int row = cells(i, 0);
    const int column = cells(i, 1);
    const int vent = cells(i, 2);
    const double now = time(0, 0);
    emission(row, column) = emission_at<R>(vent, now, rates, shape);
}

template <class R>
class VentCellsStage final : public Stage {
  public:
    explicit VentCellsStage(const StageContext& context)
        : context_(context),
          clock_(context.store),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))),
          rates_(context.queue, context.problem.parameters) {}

    void uploaded() override {
        const Layout& layout = context_.store.layout("vents");
        const auto columns = static_cast<std::size_t>(layout.columns);
        std::vector<std::uint8_t> vents(columns * static_cast<std::size_t>(layout.rows));
        context_.queue.download(
            vents.data(), columns,
            static_cast<const std::uint8_t*>(context_.store.current("vents")) + layout.origin(),
            static_cast<std::size_t>(layout.pitch),
            {columns, static_cast<std::size_t>(layout.rows)});
        std::vector<std::int32_t> list;
        for (std::size_t i = 0; i < vents.size(); ++i)
            if (vents[i] != 0)
                for (const std::size_t word : {i / columns, i % columns, std::size_t{vents[i]}})
                    list.push_back(static_cast<std::int32_t>(word));
        count_ = static_cast<int>(list.size()) / words;
        if (list.empty()) list.resize(words);  // no memory is of size 0
        const std::size_t bytes = list.size() * sizeof(std::int32_t);
        cells_ = Memory(context_.queue, bytes);
        context_.queue.upload(cells_.get(), bytes, list.data(), bytes, {bytes, 1});
    }
    void enqueue(int) override {
        const int rows = count_ > 0 ? count_ : 1;
        const unsigned blocks = (static_cast<unsigned>(rows) + threads - 1) / threads;
        const Grid<const std::int32_t> cells(
            static_cast<const std::int32_t*>(cells_.get()),
            Layout::make(words, rows, 0, sizeof(std::int32_t), sizeof(std::int32_t)), "vent_cells");
        launch(context_.queue, "erupt", {{blocks}, {threads}}, vent_cells_kernel<R>, cells, count_,
               current<R>(context_.store, "emission"), rates_.table(), rates_.effusion().shape,
               clock_.template time<const double>(), clock_.dt(), longest_step_);
    }

  private:
    static constexpr int words = 3;
    static constexpr unsigned threads = 32;

    StageContext context_;
    Clock<R> clock_;
    R longest_step_;
    MagflowRates rates_;
    int count_ = 0;
    Memory cells_;
};

template <class R>
StepPlan vent_cells_plan(const StepPlan& like) {
    StepPlan plan = erupt_plan<R>(like);
    plan.technique = {"vent_gpu", "as halo, Erupt with a thread per vent cell",
                      "Bilotta et al. 2011", Family::global_memory};
    plan.fields[0].read = false;  // only when the list is made
    plan.make = makes<VentCellsStage<R>>();
    return plan;
}

CAMBER_TARGET_END
