#include "harness/measure/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/engine.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

// Reports the preparation first, because computing the reference takes time.
const Study& announced(const Study& study, SessionObserver& observer) {
    observer.preparing("computing the reference");
    return study;
}

// Minimum number of CPU cores at which a few disassembler processes do not disturb the thread that
// drives the device.
constexpr unsigned cores_to_disassemble_beside = 8;

// A case, by name, and a round in which it was measured.
using Visited = std::pair<std::string, int>;

std::set<std::string> names_of(const Study& study) {
    std::set<std::string> names;
    for (const Case& chosen : cases_of(study)) names.insert(case_name(study, chosen));
    return names;
}

// Visits of the study's cases that a resumed run has already measured.
std::set<Visited> visited_cases(const Study& study, const results::Document& document) {
    const std::set<std::string> names = names_of(study);
    std::set<Visited> visited;
    for (const results::CaseRecord& record : document.cases) {
        if (!names.contains(record.name)) continue;
        if (record.status != results::Status::ok)  // the failure ended the case
            for (int round = 0; round < study.rounds; ++round) visited.insert({record.name, round});
        else if (record.samples)
            for (const results::Visit& visit : record.samples->visits)
                // Visits of earlier processes are separate measurements, whose samples are merged
                // with the study's.
                if (visit.process >= study.process) visited.insert({record.name, visit.round});
    }
    return visited;
}

// Number of cases in the document that are not in the study.
std::int64_t others(const Study& study, const results::Document& document) {
    const std::set<std::string> names = names_of(study);
    return std::ranges::count_if(document.cases, [&](const results::CaseRecord& record) {
        return !names.contains(record.name);
    });
}

// Registers the cases that an earlier session timed without reading their counters.
void note_uncounted(CaseRunner& runner, const results::Document& document,
                    const std::set<Visited>& visited) {
    const Study& study = runner.study();
    if (study.counters.empty()) return;
    for (const Case& chosen : cases_of(study)) {
        const std::string name = case_name(study, chosen);
        if (!visited.contains({name, study.rounds - 1})) continue;
        for (const results::CaseRecord& record : document.cases)
            if (record.name == name && record.status == results::Status::ok &&
                record.counters.empty())
                runner.note(chosen, record);
    }
}

int next_process(const results::Document& document) {
    int next = 0;
    for (const results::CaseRecord& record : document.cases)
        if (record.samples)
            for (const results::Visit& visit : record.samples->visits)
                next = std::max(next, visit.process + 1);
    return next;
}

}  // namespace

std::optional<DeviceInfo> device_of(const Study& study) {
    if (study.backend == Backend::cuda)
        for (const DeviceInfo& candidate : cuda_devices())
            if (candidate.index == study.device) return candidate;
    return std::nullopt;
}

Session::Session(const Study& study, SessionObserver& observer, std::optional<Ceilings> known,
                 double seconds_before)
    : study_(study),
      observer_(observer),
      device_(device_of(study)),
      seconds_before_(seconds_before),
      process_(study.process),
      runner_(announced(study, observer),
              [&](CaseRunner& runner) { prepare(runner, std::move(known)); }) {}

// Runs while the reference is computed.
void Session::prepare(CaseRunner& runner, std::optional<Ceilings> known) {
    check_partition(runner);
    const WallClock::Span span(runner.clock(), &results::WallTime::limits);
    if (device_) code_.emplace(device_->major, device_->minor, CacheFolder::of_user());
    if (known) {
        ceilings_ = std::move(*known);
    } else if (device_) {
        const auto measure = [&] {
            observer_.preparing("measuring the device's limits");
            return measure_ceilings(runner.queue(), &*device_);
        };
        // A partition has its own ceilings, which are not cached.
        ceilings_ = study_.sms > 0 ? measure() : limits_of(*device_, study_.fresh_limits, measure);
    }
    const WallClock::Span opening(runner.clock(), &results::WallTime::opening);
    runner.use(open_instruments(study_));
}

// The kernel's blocks report the SMs on which they run.
void Session::check_partition(CaseRunner& runner) {
    if (!study_.place || study_.place->unit != scaling::Unit::sm) return;
    const int count = study_.place->units;
    const int seen = distinct_multiprocessors(runner.queue());
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
    context.run->activity = runner_.activity();
    return context;
}

// Adds the facts that the runner does not have.
void Session::complete(CaseResult& result, int round) {
    results::CaseRecord& record = result.record;
    if (record.status != results::Status::ok) return;
    record.samples->visits = {{process_, round,
                               static_cast<std::int64_t>(record.samples->ns.size()),
                               record.samples->stopped_by}};
    if (study_.time) {
        // The copy bandwidth of a group is proportional to its number of devices.
        std::optional<double> copy = ceilings_.copy_bytes_per_second;
        if (copy && record.identity.group) *copy *= record.identity.group->devices_at_work();
        record.derived = results::derive(work_of(study_, *result.variant),
                                         result.seconds_per_generation(), copy);
    }
    if (code_) add_instructions(result);
}

// Adds instruction mixes only for kernels whose machine code is available by now.
void Session::add_instructions(CaseResult& result) {
    const WallClock::Span span(runner_.clock(), &results::WallTime::static_facts);
    for (std::size_t i = 0; i < result.kernels.size(); ++i) {
        const KernelFacts& facts = result.kernels[i];
        some_kernel_ = facts.address;
        if (const results::Kernel* mix = code_->find(facts.symbol, facts.address))
            camber::record(*mix, result.record.kernels[i]);
        else
            unknown_[facts.symbol] = facts.address;
    }
}

void Session::add_missing_instructions(results::Document& document) {
    const WallClock::Span span(runner_.clock(), &results::WallTime::static_facts);
    // Kernels of earlier sessions are in the same module as the workload's other kernels.
    for (const results::CaseRecord& record : document.cases)
        for (const results::Kernel& kernel : record.kernels)
            if (kernel.symbol && kernel.instructions.empty() &&
                unknown_.try_emplace(*kernel.symbol, some_kernel_).second)
                code_->find(*kernel.symbol, some_kernel_);
    code_->load();
    for (results::CaseRecord& record : document.cases)
        for (results::Kernel& kernel : record.kernels) {
            const auto found = unknown_.find(kernel.symbol.value_or(""));
            if (found == unknown_.end() || !kernel.instructions.empty()) continue;
            if (const results::Kernel* mix = code_->find(found->first, found->second))
                camber::record(*mix, kernel);
        }
    unknown_.clear();
}

void Session::tell_time(results::Document& document) {
    results::WallTime wall = wall_before_.value_or(results::WallTime());
    results::WallTime own = runner_.clock().read();
    own.opening += seconds_before_;
    own.total += seconds_before_;
    document.context.run->wall = wall += own;
}

void Session::count(results::ResultsFile& results, LastCase& last, bool more_to_time) {
    CountingPass::Events events;
    events.more_to_time = more_to_time;
    events.counting = [&](const CaseResult& result, int done, int total) {
        last.is({result.variant, result.conditions});
        if (!result.variant->file.empty()) results.rescue([](results::Document&) {});
        observer_.counting(result, done, total);
    };
    events.counted = [&](const CaseResult& result) {
        const WallClock::Span span(runner_.clock(), &results::WallTime::results_file);
        results.amend_in_time([&](results::Document& document) {
            tell_time(document);
            results::add_counts(document, result.record);
            add_limits(document);
        });
        observer_.counted(result);
    };
    runner_.count(events);
}

void Session::end(const LastCase& last, const std::function<void(const CaseResult&)>& store) const {
    CaseResult result;
    result.variant = last.chosen->variant;
    result.conditions = last.chosen->conditions;
    result.record = record_of(study_, *last.chosen);
    result.record.status = results::Status::failed;
    result.record.reason =
        fmt::format("the device has been busy with it for {:.3g} s", *study_.launch_limit);
    const std::string sentence = fmt::format("{}: {}", result.record.name, result.record.reason);
    try {
        store(result);
    } catch (const std::exception& error) {
        observer_.overdue(fmt::format("{}, and {}", sentence, error.what()));
        report_exit(static_cast<int>(ExitCode::wrong_result));
        std::_Exit(static_cast<int>(ExitCode::wrong_result));
    }
    observer_.overdue(sentence);
    std::fflush(stdout);
    report_exit(static_cast<int>(ExitCode::wrong_result));
    // An orderly shutdown would block on the hung device.
    std::_Exit(static_cast<int>(ExitCode::wrong_result));
}

void Session::end_without_device(const results::CaseRecord& record) const {
    observer_.device_lost(fmt::format("{}: {}", record.name, record.reason));
    std::fflush(stdout);
    report_exit(static_cast<int>(ExitCode::wrong_result));
    // An orderly shutdown would call CUDA, which fails after the crash.
    std::_Exit(static_cast<int>(ExitCode::wrong_result));
}

void Session::run(results::ResultsFile& results, const std::vector<std::string>& command,
                  int repetitions, int more) {
    const int total = static_cast<int>(study_.variants.size() * study_.conditions.size()) *
                      repetitions * study_.rounds;
    const std::string baseline = baseline_name(*study_.workload, registry());
    const std::set<Visited> visited = visited_cases(study_, results.document());
    int done = static_cast<int>(visited.size());
    if (done > 0) process_ = next_process(results.document());
    const auto before = others(study_, results.document());
    const auto cases = before + more + static_cast<std::int64_t>(cases_of(study_).size());
    const std::int64_t visits_of_case = std::int64_t{study_.rounds} * repetitions;
    LastCase last;
    const auto merged = [&](results::Document& document, const CaseResult& result) {
        if (!document.context.run) document.context = context(command);
        tell_time(document);
        results::merge(document, result.record, study_.sampling.seed);
        document.context.run->incomplete = {
            std::ranges::count(document.cases, 0, &results::CaseRecord::repetition), cases,
            before * visits_of_case + done + 1, cases * visits_of_case};
    };
    std::optional<LaunchWatch> watch;
    if (study_.launch_limit)
        watch.emplace(*study_.launch_limit, [&] {
            const std::lock_guard lock(last.mutex);
            end(last, [&](const CaseResult& result) {
                results.amend([&](results::Document& document) {
                    // If a case was timed before and hangs while its counters are read, its times
                    // are retained.
                    if (std::ranges::find(document.cases, result.record.name,
                                          &results::CaseRecord::name) == document.cases.end())
                        merged(document, result);
                });
            });
        });
    EngineEvents events;
    events.done = [&](const Case& chosen, int round) {
        return visited.contains({case_name(study_, chosen), round});
    };
    const auto rescue = [&](const Case& chosen) {
        if (chosen.variant->file.empty() || !is_guarded()) return;
        CaseResult result;
        result.variant = chosen.variant;
        result.conditions = chosen.conditions;
        result.record = record_of(study_, chosen);
        result.record.status = results::Status::failed;
        result.record.reason = std::string(rescue_reason);
        results.rescue([&](results::Document& document) { merged(document, result); });
    };
    events.starting = [&](const Case& chosen) {
        last.is(chosen);
        rescue(chosen);
        observer_.starting(chosen, done, total);
    };
    const bool spare_cores = std::thread::hardware_concurrency() >= cores_to_disassemble_beside;
    const int half = static_cast<int>(cases_of(study_).size() / 2);
    events.measured = [&](CaseResult& result, int repetition, int round) {
        // A source file has several variants: after half of them, few files are still unknown.
        if (code_ && done >= half && spare_cores) code_->start();
        result.record.repetition = repetition;
        result.record.repetitions = repetitions;
        complete(result, round);
        const WallClock::Span span(runner_.clock(), &results::WallTime::results_file);
        results.amend_in_time([&](results::Document& document) {
            merged(document, result);
            if (!study_.place) results::add_speedups(document.cases, baseline);
        });
        ++done;
        observer_.measured(result);
        if (!result.device_lost) return;
        results.amend([](results::Document&) {});
        end_without_device(result.record);
    };
    events.aggregated = [&](const results::Aggregate& aggregate) {
        results.amend_in_time(
            [&](results::Document& document) { document.aggregates.push_back(aggregate); });
    };
    if (const results::Run* run = results.document().run()) wall_before_ = run->wall;
    note_uncounted(runner_, results.document(), visited);
    {
        std::optional<PinnedThreads> pinned;
        if (!study_.cores.empty())
            pinned.emplace(static_cast<int>(study_.cores.size()), study_.cores);
        run_cases(runner_, events);
    }
    if (!stopping()) count(results, last, more > 0);
    if (!results.document().run()) return;
    const bool whole = !stopping();
    results.amend([&](results::Document& document) {
        if (whole && code_ && some_kernel_) add_missing_instructions(document);
        tell_time(document);
        if (more == 0 && done > 0 && whole) document.context.run->incomplete.reset();
    });
}

}  // namespace camber
