#include "harness/run/reference_variants.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "workloads/list/workloads.hpp"
#include "workloads/parallel_rows.hpp"

namespace camber {

namespace {

class ReferenceExecution final : public Execution {
  public:
    ReferenceExecution(const Workload& workload, const Problem& problem, int threads)

        : workload_(workload),
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
            workload_.generation(state_, next_, context_);
            std::swap(state_, next_);
        }
    }

  private:
    const Workload& workload_;
    GenerationContext context_;
    State state_;
    State next_;
};

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
    variant.factories[Backend::cpu] = [&workload, threads](Queue&, const Problem& problem) {
        return std::make_unique<ReferenceExecution>(workload, problem, threads);
    };
    return variant;
}

void add_reference_variants(Registry& registry) {
    for (const auto& workload : workloads())
        for (const ElementType cell : workload->facts().cell_types) {
            Variant serial = reference_variant(*workload, cell, 1);
            serial.info.form = "serial";
            serial.info.technique.summary = "the plain reference, cell after cell";
            registry.add(std::move(serial));
            registry.add(reference_variant(*workload, cell, omp_get_num_procs()));
        }
}

}  // namespace camber
