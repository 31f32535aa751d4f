#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/results/derive.hpp"
#include "harness/results/merge.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/context.hpp"
#include "harness/run/engine.hpp"
#include "harness/run/identity.hpp"
#include "harness/run/pinned_threads.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

// Says so first, because computing the reference takes its time.
const Study& announced(const Study& study, const std::optional<DeviceInfo>& device,
                       SessionObserver& observer) {
    if (device)
        KernelCode::of_this_program().prepare(device->major, device->minor, study.variants.size());
    observer.preparing("computing the reference");
    return study;
}

// Machine instructions by class of the kernels that ran, as far as a disassembler is there.
void add_instructions(std::vector<results::Kernel>& kernels) {
    std::vector<std::string> symbols;
    for (const results::Kernel& kernel : kernels) symbols.push_back(kernel.symbol.value_or(""));
    KernelCode& code = KernelCode::of_this_program();
    code.load(symbols);
    for (results::Kernel& kernel : kernels)
        if (const InstructionMix* mix = code.mix(kernel.symbol.value_or("")))
            kernel.instructions = recorded(*mix);
}

}  // namespace

std::optional<DeviceInfo> device_of(const Study& study) {
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& candidate : cuda_devices())
            if (candidate.index == study.device) return candidate;
    return std::nullopt;
}

Session::Session(const Study& study, SessionObserver& observer, std::optional<Ceilings> known)
    : study_(study),
      observer_(observer),
      device_(device_of(study)),
      runner_(announced(study, device_, observer)) {
    check_partition();
    runner_.use(open_instruments(study));
    if (known) {
        ceilings_ = std::move(*known);
    } else if (device_) {
        observer.preparing("measuring the device's limits");
        ceilings_ = measure_ceilings(runner_.queue(), &*device_);
    }
    // Before the first case is timed, so that no disassembler works beside it.
    KernelCode::of_this_program().wait();
}

// The multiprocessors say themselves which they are.
void Session::check_partition() {
    if (!study_.place || study_.place->unit != scaling::Unit::sm) return;
    const int count = study_.place->units;
    const int seen = distinct_multiprocessors(runner_.queue());
    if (seen != count)
        throw Error(ExitCode::unavailable,
                    fmt::format("a partition of {} multiprocessors ran its blocks on {}: the "
                                "driver's partitions cannot be trusted here",
                                count, seen));
}

results::Context Session::context(const std::vector<std::string>& command) const {
    results::Context context = run_context(command, device_ ? &*device_ : nullptr, ceilings_);
    if (study_.time)
        context.run->sampling = {study_.order_seed,
                                 study_.rounds,
                                 1,
                                 study_.seconds_per_sample,
                                 runner_.event_pair_seconds(),
                                 study_.sampling.relative_half_width,
                                 study_.sampling.budget_seconds,
                                 static_cast<std::int64_t>(study_.sampling.maximum_samples)};
    context.run->account = runner_.ledger().rows();
    return context;
}

// Adds what the runner does not know of a measurement.
void Session::complete(CaseResult& result, int round) const {
    results::CaseRecord& record = result.record;
    if (record.status != results::Status::ok) return;
    record.samples->visits = {{study_.process, round,
                               static_cast<std::int64_t>(record.samples->ns.size()),
                               record.samples->stopped_by}};
    if (study_.time)
        record.derived =
            results::derive(work_of(study_, *result.variant), result.seconds_per_generation(),
                            ceilings_.copy_bytes_per_second);
    if (device_) add_instructions(record.kernels);
}

void Session::run(results::ResultsFile& results, const std::vector<std::string>& command,
                  int repetitions, int more) {
    const int total = static_cast<int>(study_.variants.size() * study_.conditions.size()) *
                      repetitions * study_.rounds;
    const std::string baseline = baseline_name(*study_.workload, registry());
    int done = 0;
    const auto before = static_cast<std::int64_t>(results.document().cases.size());
    const auto cases = before + more + static_cast<std::int64_t>(cases_of(study_).size());
    const std::int64_t visits_of_case = std::int64_t{study_.rounds} * repetitions;
    EngineEvents events;
    events.starting = [&](const Case& chosen) { observer_.starting(chosen, done, total); };
    events.measured = [&](CaseResult& result, int repetition, int round) {
        result.record.repetition = repetition;
        result.record.repetitions = repetitions;
        complete(result, round);
        results.amend([&](results::Document& document) {
            if (!document.context.run) document.context = context(command);
            results::merge(document, result.record, study_.sampling.seed);
            document.context.run->incomplete = {
                std::ranges::count(document.cases, 0, &results::CaseRecord::repetition), cases,
                before * visits_of_case + done + 1, cases * visits_of_case};
            if (!study_.place) results::add_speedups(document.cases, baseline);
        });
        ++done;
        observer_.measured(result);
    };
    events.aggregated = [&](const results::Aggregate& aggregate) {
        results.amend(
            [&](results::Document& document) { document.aggregates.push_back(aggregate); });
    };
    std::optional<PinnedThreads> pinned;
    if (!study_.cores.empty()) pinned.emplace(static_cast<int>(study_.cores.size()), study_.cores);
    run_cases(runner_, events);
    if (more == 0 && done > 0 && (stop_signal() == 0 || done == total))
        results.amend(
            [](results::Document& document) { document.context.run->incomplete.reset(); });
}

}  // namespace camber
