#include "harness/run/reference_variants.hpp"

#include <omp.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "workloads/list/workloads.hpp"
#include "workloads/parallel_rows.hpp"
#include "workloads/surface_water/form_a.hpp"

namespace camber {

namespace {

// One generation from a state to another one.
using Generation = std::function<void(const State&, State&, const GenerationContext&)>;

class ReferenceExecution final : public Execution {
  public:
    ReferenceExecution(const Queue& queue, const Workload& workload, const Problem& problem,
                       int threads, Generation generation)
        : queue_(queue),
          workload_(workload),
          generation_(std::move(generation)),
          context_{problem.boundary, problem.parameters, 0,
                   worthwhile_threads(problem.size.cells(), threads)} {}

    void upload(const State& initial) override {
        state_ = next_ = initial;
        context_.number = 0;
    }
    void download(State& result) override { result = state_; }
    std::optional<CellsView> view(std::string_view field) const override {
        const HostField& own = state_.field(field);
        return CellsView{own.bytes().data(),
                         static_cast<std::size_t>(own.size().columns) * info(own.element()).size};
    }
    void poison() override {
        for (HostField& field : next_.fields)
            if (workload_.writes(field.name())) std::ranges::fill(field.bytes(), std::byte{0xa5});
    }
    void advance(int generations) override {
        for (int g = 0; g < generations; ++g, ++context_.number) {
            const SpanTimer span = queue_.timed(SpanKind::kernel, "generation");
            generation_(state_, next_, context_);
            std::swap(state_, next_);
        }
    }

  private:
    const Queue& queue_;
    const Workload& workload_;
    Generation generation_;
    GenerationContext context_;
    State state_;
    State next_;
};

// Surface water as it was first written down: five passes, of which the fourth writes into the
// neighbours.
Variant five_passes(const Workload& workload) {
    Variant variant;
    variant.info.workload = workload.name();
    variant.info.cell = ElementType::float32;
    variant.info.technique = {"reference", "five passes in turn, cells write into their neighbours",
                              workload.facts().source};
    variant.info.form = "five_passes";
    variant.info.parameters = {{"threads", 1}};
    variant.info.arithmetic = Arithmetic::reordered;
    variant.factories[Backend::cpu] = [&workload](Queue& queue, const Problem& problem) {
        const auto pass = [](const State& from, State& to, const GenerationContext& context) {
            using namespace surface_water;
            form_a_generation<float>(from, to, {}, context, Release::rate, Order::row_major);
        };
        return std::make_unique<ReferenceExecution>(queue, workload, problem, 1, pass);
    };
    return variant;
}

}  // namespace

Variant reference_variant(const Workload& workload, ElementType cell, int threads) {
    Variant variant;
    variant.info.workload = workload.name();
    variant.info.cell = cell;
    variant.info.technique = {
        "reference",
        "the plain reference, rows shared by the CPU's threads, by fewer on a small board",
        workload.facts().source};
    variant.info.form = "threads";
    variant.info.parameters = {{"threads", threads}};
    variant.factories[Backend::cpu] = [&workload, threads](Queue& queue, const Problem& problem) {
        const auto generation = [&workload](const State& from, State& to,
                                            const GenerationContext& context) {
            workload.generation(from, to, context);
        };
        return std::make_unique<ReferenceExecution>(queue, workload, problem, threads, generation);
    };
    return variant;
}

void add_reference_variants(Registry& registry) {
    for (const auto& workload : workloads()) {
        for (const ElementType cell : workload->facts().cell_types) {
            Variant serial = reference_variant(*workload, cell, 1);
            serial.info.form = "serial";
            serial.info.technique.summary = "the plain reference, cell after cell";
            registry.add(std::move(serial));
            registry.add(reference_variant(*workload, cell, omp_get_num_procs()));
        }
        if (workload->name() == "surface_water") registry.add(five_passes(*workload));
    }
}

}  // namespace camber
