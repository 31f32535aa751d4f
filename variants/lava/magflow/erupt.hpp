// First kernel of MAGFLOW, Erupt: emission of every vent in a step, with one thread per cell of the
// board or one thread per vent cell.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "variants/lava/magflow/clock.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "workloads/lava/magflow/parameters.hpp"

// Erupt with one thread per cell: emission of every vent in this step, and reset of the longest
// step for the minimum. Only threads with a vent continue (Rustico 2012).
CAMBER_WORKLOAD_BEGIN(magflow)

// Rates of all vents on a queue, one row per vent.
class MagflowRates {
  public:
    MagflowRates(Queue& queue, const ParameterSet& parameters)
        : effusion_(magflow::effusion(parameters)),
          table_(queue, sizeof(double) * slots() * vents()) {
        const std::size_t bytes = sizeof(double) * effusion_.rates.size();
        if (bytes > 0) queue.upload(table_.get(), bytes, effusion_.rates.data(), bytes, {bytes, 1});
    }
    const magflow::Effusion& effusion() const { return effusion_; }
    Grid<const double> table() const {
        return {static_cast<const double*>(table_.get()),
                Layout::make(slots(), vents(), 0, sizeof(double), sizeof(double)), "rates"};
    }

  private:
    // At least 1, because allocations must not be empty.
    int slots() const { return effusion_.shape.slots > 0 ? effusion_.shape.slots : 1; }
    int vents() const { return effusion_.vents > 0 ? effusion_.vents : 1; }

    magflow::Effusion effusion_;
    Memory table_;
};

// Emission rate of one cell of a vent at `time`, m^3/s; vents are counted from 1.
template <class R>
CAMBER_DEVICE R emission_at(int vent, double now, const Grid<const double>& rates,
                            const magflow::CurveShape& shape, Site site = Site::current()) {
    const CallPath path(site);
    return static_cast<R>(magflow::rate_at(shape, now, [&](int slot) -> double {
        const double value = rates(vent - 1, slot);
        return value;
    }));
}

// Arguments of an eruption kernel. `rates` has one row per vent and one column per time slot.
template <class R>
struct EruptionViews {
    Grid<R> emission;
    Grid<const double> rates;
    magflow::CurveShape shape;
    Grid<const double> time;
    Grid<Word<R>> dt;
    R longest_step;

    // Called by one thread.
    CAMBER_DEVICE void begin_minimum() const { dt(0, 0) = magflow::bits_of(longest_step); }
    // `vent` is the number of the vent in the cell, from 1.
    CAMBER_DEVICE void erupt(int row, int column, int vent) const {
        const double now = time(0, 0);
        emission(row, column) = emission_at<R>(vent, now, rates, shape);
    }
};

template <class R>
__global__ void erupt_kernel(const Grid<const std::uint8_t> vents, const EruptionViews<R> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= vents.rows() || column >= vents.columns()) return;
    if (row == 0 && column == 0) views.begin_minimum();
    const int vent = vents(row, column);
    if (vent != 0) views.erupt(row, column, vent);
}

// Rates of a problem on the device.
template <class R>
class Eruption {
  public:
    explicit Eruption(const StageContext& context)
        : store_(context.store),
          clock_(context.store),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))),
          rates_(context.queue, context.problem.parameters) {}

    EruptionViews<R> views() const {
        return {current<R>(store_, "emission"),       rates_.table(), rates_.effusion().shape,
                clock_.template time<const double>(), clock_.dt(),    longest_step_};
    }

  private:
    FieldStore& store_;
    Clock<R> clock_;
    R longest_step_;
    MagflowRates rates_;
};

template <class R>
class EruptStage final : public Stage {
  public:
    EruptStage(const StageContext& context, Region block)
        : context_(context), eruption_(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int) override {
        launch(context_.queue, "erupt", shape_, erupt_kernel<R>,
               current<const std::uint8_t>(context_.store, "vents"), eruption_.views());
    }

  private:
    StageContext context_;
    Eruption<R> eruption_;
    LaunchShape shape_;
};

// The emission field is counted as neither read nor written, because only cells with a vent have
// one.
template <class R>
StepPlan erupt_plan(const StepPlan& like) {
    StepPlan plan = own_cell_plan(
        like, "erupt",
        {reads("vents", ElementType::uint8), {.name = "emission", .element = element_of<R>()}});
    plan.make = StageMaker(makes<EruptStage<R>>(like.shape.block), 0);
    return plan;
}

CAMBER_TARGET_END

// vent_gpu: Erupt with one thread per vent cell from a list, as published by Bilotta et al. 2011.
CAMBER_WORKLOAD_BEGIN(magflow)

// Row, column and vent number of a vent cell, one row of `cells`.
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
        if (list.empty()) list.resize(words);  // allocations must not be empty
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
    plan.fields[0].read = false;  // only when the list is built
    plan.make = makes<VentCellsStage<R>>();
    return plan;
}

CAMBER_TARGET_END
