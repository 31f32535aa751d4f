#include "harness/measure/correctness/reference_variants.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"

namespace camber {

namespace {

// Measures the time of each pass of a generation.
class PassClock {
  public:
    void ended(std::string_view name) {
        const auto now = Clock::now();
        if (!name.empty()) {
            auto pass = std::ranges::find(passes_, name, &TimedPasses::Pass::name);
            if (pass == passes_.end()) pass = passes_.insert(pass, {std::string(name), {}});
            if (pass->ns.size() < TimedPasses::most_generations)
                pass->ns.push_back(std::chrono::duration<double, std::nano>(now - last_).count());
        }
        last_ = now;
    }
    std::vector<TimedPasses::Pass> take() { return std::exchange(passes_, {}); }

  private:
    using Clock = std::chrono::steady_clock;
    std::vector<TimedPasses::Pass> passes_;
    Clock::time_point last_;
};

// Computes one generation from one state into another.
using Generation =
    std::function<void(const State&, State&, const GenerationContext&, PassClock& passes)>;

class ReferenceExecution final : public Execution, public TimedPasses {
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
    void poison(Poison poison) override {
        for (HostField& field : next_.fields)
            if (workload_.writes(field.name()))
                fill_with_poison(field.bytes(), field.element(), poison);
    }
    void advance(int generations) override {
        for (int g = 0; g < generations; ++g, ++context_.number) {
            const SpanTimer span = queue_.timed(SpanKind::kernel, "generation");
            generation_(state_, next_, context_, passes_);
            std::swap(state_, next_);
        }
    }

    std::vector<Pass> take_passes() override { return passes_.take(); }

  private:
    PassClock passes_;
    const Queue& queue_;
    const Workload& workload_;
    Generation generation_;
    GenerationContext context_;
    State state_;
    State next_;
};

// Steps a reference that computes in place.
class InPlaceExecution final : public Execution {
  public:
    InPlaceExecution(const Queue& queue, const Problem& problem, int threads,
                     decltype(ReferenceForm::start) start)
        : queue_(queue),
          start_(std::move(start)),
          context_{problem.boundary, problem.parameters, 0,
                   worthwhile_threads(problem.size.cells(), threads)} {}

    void upload(const State& initial) override {
        reference_.reset();
        state_ = initial;
        context_.number = 0;
        reference_ = start_(state_, context_);
    }
    void download(State& result) override { result = state_; }
    std::optional<CellsView> view(std::string_view field) const override {
        const HostField& own = state_.field(field);
        return CellsView{own.bytes().data(),
                         static_cast<std::size_t>(own.size().columns) * info(own.element()).size};
    }
    // There is no second state that a step could fail to write.
    void poison(Poison) override {}
    void advance(int generations) override {
        for (int g = 0; g < generations; ++g, ++context_.number) {
            const SpanTimer span = queue_.timed(SpanKind::kernel, "generation");
            reference_->step(context_.number);
        }
    }

  private:
    const Queue& queue_;
    decltype(ReferenceForm::start) start_;
    GenerationContext context_;
    State state_;
    std::unique_ptr<InPlaceReference> reference_;  // refers to state_
};

Variant further_variant(const Workload& workload, const ReferenceForm& form) {
    const int threads = form.on_all_cores ? omp_get_num_procs() : 1;
    Variant variant;
    variant.info.workload = workload.name();
    variant.info.cell = form.cell;
    variant.info.technique = {"reference", form.summary, workload.facts().source};
    variant.info.form = form.name;
    variant.info.parameters = {{"threads", threads}};
    if (!form.is_exact) variant.info.arithmetic = Arithmetic::reordered;
    if (form.start) {
        variant.factories[Backend::cpu] = [start = form.start, threads](Queue& queue,
                                                                        const Problem& problem) {
            return std::make_unique<InPlaceExecution>(queue, problem, threads, start);
        };
        return variant;
    }
    variant.factories[Backend::cpu] = [&workload, generation = form.generation](
                                          Queue& queue, const Problem& problem) {
        const auto timed = [generation](const State& from, State& to,
                                        const GenerationContext& context, PassClock& passes) {
            generation(from, to, context, [&passes](std::string_view name) { passes.ended(name); });
        };
        return std::make_unique<ReferenceExecution>(queue, workload, problem, 1, timed);
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
                                            const GenerationContext& context,
                                            PassClock&) { workload.generation(from, to, context); };
        return std::make_unique<ReferenceExecution>(queue, workload, problem, threads, generation);
    };
    return variant;
}

void add_reference_variants(Registry& registry, const Workload& workload) {
    const auto of_reference = [&](const Variant& variant) {
        return variant.info.workload == workload.name() &&
               variant.info.technique.name == "reference";
    };
    if (std::ranges::any_of(registry.variants(), of_reference)) return;
    for (const ElementType cell : workload.facts().cell_types) {
        Variant serial = reference_variant(workload, cell, 1);
        serial.info.form = "serial";
        serial.info.technique.summary = "the plain reference, cell after cell";
        registry.add(std::move(serial));
        registry.add(reference_variant(workload, cell, omp_get_num_procs()));
    }
    if (const auto* const known = workload.capabilities().reference_forms)
        for (const ReferenceForm& form : known->reference_forms())
            registry.add(further_variant(workload, form));
}

std::vector<int> cpu_cores(const std::filesystem::path& root) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<int> cores;
    std::set<std::string> seen;  // hardware threads of one core report the same list of siblings
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        std::ifstream file(
            root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        std::string siblings;
        if (!std::getline(file, siblings)) siblings = std::to_string(cpu);
        if (seen.insert(siblings).second) cores.push_back(cpu);
    }
    return cores;
}

namespace {

// Calls f on each of n threads of both kinds of thread teams.
void in_teams(int n, const std::function<void(int thread)>& f) {
    each_of_team(n, f);
#pragma omp parallel num_threads(n)
    f(omp_get_thread_num());
}

}  // namespace

PinnedThreads::PinnedThreads(int n, const std::vector<int>& cores) : n_(n) {
    sched_getaffinity(0, sizeof before_, &before_);
    in_teams(n, [&](int thread) {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(cores[static_cast<std::size_t>(thread) % cores.size()], &own);
        sched_setaffinity(0, sizeof own, &own);
    });
}

PinnedThreads::~PinnedThreads() {
    in_teams(n_, [&](int) { sched_setaffinity(0, sizeof before_, &before_); });
}

}  // namespace camber
