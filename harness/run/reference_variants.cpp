#include "harness/run/reference_variants.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "workloads/workload.hpp"

namespace camber {

namespace {

class ReferenceExecution final : public Execution {
  public:
    ReferenceExecution(const Workload& workload, const Problem& problem, int threads)
        : workload_(workload), context_{problem.boundary, problem.parameters, 0, threads} {}

    void upload(const State& initial) override {
        state_ = next_ = initial;
        context_.number = 0;
    }
    void download(State& result) override { result = state_; }
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

void add_reference_variants(Registry& registry) {
    const auto add = [&](const Workload& workload, ElementType cell, const char* path,
                         int threads) {
        VariantInfo info;
        info.workload = workload.name();
        info.cell = cell;
        info.technique = "reference";
        info.path = path;
        info.parameters = {{"threads", threads}};
        info.summary = threads == 1 ? "the plain reference, cell after cell"
                                    : "the plain reference, rows shared by all CPU threads";
        info.source = workload.source();
        registry.add(std::move(info), Backend::cpu,
                     [&workload, threads](Queue&, const Problem& problem) {
                         return std::make_unique<ReferenceExecution>(workload, problem, threads);
                     });
    };
    for (const auto& workload : workloads())
        for (const ElementType cell : workload->cell_types()) {
            add(*workload, cell, "serial", 1);
            add(*workload, cell, "threads", omp_get_num_procs());
        }
}

}  // namespace camber
