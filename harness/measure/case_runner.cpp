#include "harness/measure/case_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "analysis/timeline/quantities.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/environment/nvml.hpp"
#include "harness/machine/queue/host_memory.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/correctness/reference_cache.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/timeline_pass.hpp"
#include "harness/record/merge.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"

namespace camber {

namespace {

// On the host, the passes of a generation are recorded as kernels.
std::optional<results::KernelTimes> recorded(const std::vector<TimedPasses::Pass>& passes,
                                             double ns_per_generation, std::uint64_t seed) {
    if (passes.empty() || passes.front().ns.empty()) return std::nullopt;
    results::KernelTimes times;
    times.generations = static_cast<int>(passes.front().ns.size());
    for (const TimedPasses::Pass& pass : passes) {
        results::KernelTime& own = times.kernels.emplace_back();
        own.name = pass.name;
        own.samples_ns = pass.ns;
        own.statistics = summarize(pass.ns, seed);
    }
    results::sum_up(times, ns_per_generation);
    return times;
}

double cpu_time() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

std::unique_ptr<Queue> open_queue(const Study& study) {
    switch (study.backend) {
        case Backend::cuda:
            return open_cuda(study.device, study.sms);
        case Backend::simt:
            return std::make_unique<simt::HostQueue>(study.cpu_threads);
        case Backend::cpu:
            return std::make_unique<HostMemoryQueue>();
    }
    return nullptr;
}

CaseRunner::CaseRunner(const Study& study, const std::function<void(CaseRunner&)>& meanwhile)
    : study_(study),
      queue_(open_queue(study)),
      ledger_(*study.workload, study.verified_generations()),
      activity_(*study.workload, study.verified_generations(), study.intervals) {
    using results::WallTime;
    const bool on_device = study.backend == Backend::cuda;
    check_memory(study, *queue_);
    clock_.turn_to(&WallTime::initial_state);
    const auto load_start = std::chrono::steady_clock::now();
    initial_ = start_of(*study.workload, study.initial, study.problem.parameters);
    if (study.begin > 0) initial_ = developed_state(study, *queue_, initial_);
    load_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - load_start).count();
    keep_or_pin(initial_);
    if (study_.states > 0) long_runs_ = std::make_unique<LongRuns>(study_, *queue_, initial_);
    clock_.turn_to(&WallTime::reference);
    int threads = thread_count(study.cpu_threads);
    // Leaves one core to the thread that drives the device.
    if (on_device && meanwhile && threads > 1) --threads;
    // The reference runs concurrently only with work on a device; work on the host would be
    // disturbed.
    const auto beside = on_device ? std::launch::async : std::launch::deferred;
    const ElementType cell = study.problem.cell;
    const ElementType type = study.workload->reference_type(cell);
    std::future<State> reference = std::async(beside, [&] {
        State state = reference_state({study.problem.boundary, study.problem.parameters, 0,
                                       worthwhile_threads(study.problem.size.cells(), threads)});
        if (type == cell) return state;
        State rounded = converted(state, type, cell);
        if (study.saves) exact_ = std::move(state);
        return rounded;
    });
    if (on_device) {
        nvml_ = Nvml::open();
        for (const DeviceInfo& device : cuda_devices())
            if (device.index == study.device) pci_bus_id_ = device.pci_bus_id;
    }
    if (meanwhile) meanwhile(*this);
    expected_ = reference.get();
    final_ = std::async(beside, [this] { return study_.workload->final_state(expected_); });
    if (!on_device) final_.wait();
    verifier_.emplace(study_, *queue_, initial_, expected_);
    clock_.turn_to(&WallTime::other);
    counting_ = std::make_unique<CountingPass>(study_, *queue_, initial_, instruments_, clock_);
    sampler_ = std::make_unique<Sampler>(*queue_, study_, [this] { return device_state(); });
}

State CaseRunner::reference_state(const GenerationContext& context) {
    const Workload& workload = *study_.workload;
    const ElementType cell = study_.problem.cell;
    std::optional<State> exact = workload.exact_initial(study_.initial);
    State state =
        exact ? std::move(*exact) : converted(initial_, cell, workload.reference_type(cell));
    // A run in intervals must compute the reference, because active cells are counted on the way.
    const bool keeps = study_.intervals == 0 &&
                       is_worth_keeping(workload, study_.problem.size, study_.verified_generations());
    const ReferenceCache cache(CacheFolder::of_user(), keeps ? program_mark() : "", workload, state,
                               context, study_.verified_generations());
    if (auto known = cache.read()) {
        ledger_.take(std::move(known->rows));
        return std::move(known->state);
    }
    ledger_.enter(0, state);
    activity_.enter(0, state);
    advance(workload, state, context, study_.verified_generations(),
            [this](int generations, const State& now) {
                check_stop();
                ledger_.enter(generations, now);
                activity_.enter(generations, now);
            });
    cache.write(state, ledger_.entered());
    return state;
}

void CaseRunner::keep_or_pin(State& state) {
    for (HostField& field : state.fields) {
        kept_.push_back(std::make_unique<Kept>(*queue_, field.bytes()));
        if (!*kept_.back()) pinned_.push_back(std::make_unique<Pinned>(*queue_, field.bytes()));
    }
}

CaseRunner::~CaseRunner() = default;

std::optional<DeviceState> CaseRunner::device_state() const {
    return nvml_ ? nvml_->state(pci_bus_id_) : std::nullopt;
}

CaseResult CaseRunner::run(const Case& chosen, bool last) {
    const Variant& variant = *chosen.variant;
    CaseResult result;
    result.variant = &variant;
    result.conditions = chosen.conditions;
    result.record = record_of(study_, chosen);
    results::CaseRecord& record = result.record;
    const auto give_up = [&](results::Status status, std::string reason) {
        const std::optional<Verification> verification = std::move(record.verification);
        record = record_of(study_, chosen);
        record.status = status;
        record.reason = std::move(reason);
        record.verification = verification;
        return result;
    };
    if (auto reason = reason_of_all(reason_to_skip(variant, study_.problem, study_.generations,
                                                   queue_->limits(), study_.backend)))
        return give_up(results::Status::skipped, std::move(*reason));
    if (const auto found = study_.left_out.find(&variant); found != study_.left_out.end()) {
        give_up(results::Status::skipped, found->second);
        record.left_out = true;
        return result;
    }
    queue_->set_label(variant.info.name());
    const MarkedRange marked_case(marker_name(variant.info.name()));
    queue_->take_kernel_facts();  // discards the facts of earlier kernels
    const double cpu_start = cpu_time();
    try {
        const auto execution = variant.factories.at(study_.backend)(*queue_, study_.problem);
        if (!verified_.contains(record.name)) {
            const WallClock::Span span(clock_, &results::WallTime::verification);
            verified_[record.name] = verifier_->verify(*execution, chosen);
        } else {
            execution->upload(initial_);
        }
        const Verifier::Judged& judged = verified_[record.name];
        record.verification = judged.verification;
        if (!record.verification->passed())
            return give_up(results::Status::failed, describe(*record.verification));
        Launcher launcher(*queue_, *execution, variant.info.shape.generations, chosen.conditions);
        // Poisoning adds synchronization that could hide a missing wait between devices.
        if ((study_.from_start && chosen.conditions.submission == Submission::graph) ||
            variant.info.group) {
            const WallClock::Span span(clock_, &results::WallTime::verification);
            Verification as_timed =
                verifier_->verify_as_timed(*execution, launcher, variant).verification;
            if (!as_timed.passed()) {
                record.verification = std::move(as_timed);
                return give_up(results::Status::failed, describe(*record.verification));
            }
        }
        record.final = judged.final ? *judged.final : final_.get();
        measure(*execution, launcher, result, last);
        if (last && study_.from_start) record.program = program_time(*execution);
    } catch (const Unsupported& reason) {
        // A shorter recording may have been supported, and verified.
        record.verification.reset();
        return give_up(results::Status::skipped, study_.sentence(reason));
    } catch (const DeviceLost& error) {
        if (ranks_of(study_)) throw;
        give_up(results::Status::failed, error.what());
        result.device_lost = true;
        return result;
    } catch (const Error& error) {
        if (ranks_of(study_)) throw;  // the other ranks would wait for this one
        // If only memory is insufficient, the variant is skipped and not reported as wrong.
        return give_up(error.remedy() == Remedy::smaller_board ? results::Status::skipped
                                                               : results::Status::failed,
                       study_.sentence(error));
    }
    record.cpu_time_ns = (cpu_time() - cpu_start) * 1e9 / static_cast<double>(record.iterations);
    return result;
}

// Ranks may have different devices. If one rank cannot run a case, all ranks skip it.
std::optional<std::string> CaseRunner::reason_of_all(std::optional<std::string> own) const {
    if (Communicator* const ranks = ranks_of(study_))
        for (std::string& reason : ranks->all_of(own.value_or("")))
            if (!reason.empty()) return std::move(reason);
    return own;
}

void CaseRunner::note(const Case& chosen, const results::CaseRecord& record) {
    CaseResult result;
    result.variant = chosen.variant;
    result.conditions = chosen.conditions;
    result.record = record;
    counting_->add(result);
}

void CaseRunner::time_in_intervals(Execution& execution, CaseResult& result) {
    const WallClock::Span span(clock_, &results::WallTime::samples);
    const auto restart = [&] { execution.upload(initial_); };
    const int step = result.variant->info.shape.generations;
    const auto take = [&](counters::KernelClock* clock) {
        result.record.intervals =
            time_intervals(*queue_, execution, study_, step, restart, result.record.kernels, clock);
    };
    try {
        take(instruments_.kernel_clock.get());
    } catch (const Error& error) {
        if (!instruments_.kernel_clock) throw;
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
        take(nullptr);
    }
    queue_->take_kernel_facts();
}

void CaseRunner::time_kernels_from_states(Execution& execution, CaseResult& result) {
    const WallClock::Span span(clock_, &results::WallTime::kernel_times);
    try {
        long_runs_->time_kernels(execution, result.variant->info.shape.generations,
                                 *instruments_.kernel_clock, result.record);
    } catch (const Error& error) {
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
    }
    queue_->take_kernel_facts();
}

void CaseRunner::measure(Execution& execution, Launcher& launcher, CaseResult& result, bool last) {
    using results::WallTime;
    auto* const passes = dynamic_cast<TimedPasses*>(&execution);
    if (passes) passes->take_passes();  // discards the passes of the verification
    {
        const WallClock::Span span(clock_, &WallTime::samples);
        time(execution, launcher, {result.variant, result.conditions}, result.record);
    }
    if (passes && last)
        result.record.kernel_times =
            recorded(passes->take_passes(), result.record.real_time_ns, study_.sampling.seed);
    const bool on_device = study_.backend == Backend::cuda;
    result.kernels = queue_->take_kernel_facts();
    for (const KernelFacts& facts : result.kernels)
        result.record.kernels.push_back(recorded(facts, on_device));
    if (result.record.identity.group) note_rows(*result.record.identity.group, execution);
    if (!last) return;
    if (instruments_.kernel_clock && instruments_.time_kernels) {
        const WallClock::Span span(clock_, &WallTime::kernel_times);
        KernelTimer(*queue_, instruments_).time(execution, result, study_.sampling.seed);
    }
    if (study_.traced || result.record.identity.group) trace(execution, result);
    if (study_.intervals > 0 && study_.time) time_in_intervals(execution, result);
    // Kernels of replayed graphs have another clock.
    if (long_runs_ && instruments_.kernel_clock &&
        result.conditions.submission == Submission::stream)
        time_kernels_from_states(execution, result);
    counting_->add(result);
}

void CaseRunner::trace(Execution& execution, CaseResult& result) {
    if (instruments_.failures.contains(timeline_failure)) return;
    const std::string place = study_.backend == Backend::cuda
                                  ? fmt::format("cuda:{}", study_.device)
                                  : std::string(name(study_.backend));
    const LaunchesShown launches{study_, result.variant->info.shape.generations, result.conditions};
    Communicator* const ranks = study_.traced ? ranks_of(study_) : nullptr;
    const auto meet = [ranks] {
        if (ranks) pass_barriers(*ranks);
    };
    try {
        Timeline timeline = record_timeline(
            *queue_, execution, place, launches, instruments_.activity_trace.get(),
            [&] { execution.upload(initial_); }, meet);
        timeline.name = result.record.name;
        name_kernels(timeline, result.kernels);
        if (result.record.identity.group)
            describe_group(*result.record.identity.group, timeline::quantities_of(timeline),
                           launches.generations(), ranks_of(study_));
        if (ranks) timeline = gathered_timeline(std::move(timeline), *ranks);
        if (study_.traced) result.timeline = std::move(timeline);
    } catch (const Error& error) {
        instruments_.failures[timeline_failure] = error.what();
    }
}

results::ProgramTime CaseRunner::program_time(Execution& execution) {
    const WallClock::Span span(clock_, &results::WallTime::samples);
    if (!saving_) saving_.emplace(saving_time(study_, expected_));
    results::ProgramTime time =
        transfer_time(execution, *queue_, initial_, verifier_->downloaded(execution));
    time.load = load_seconds_;
    time.save = *saving_;
    return time;
}

void CaseRunner::time(Execution& execution, Launcher& launcher, const Case& chosen,
                      results::CaseRecord& record) {
    int& generations = generations_per_sample_[record.name];
    const ParameterStart* const start = study_.workload->capabilities().parameter_start;
    const int period = start != nullptr ? start->period(study_.problem.parameters) : 1;
    Sampled sampled = long_runs_ ? long_runs_->time(execution, launcher, chosen, record)
                      : study_.from_start
                          ? sampler_->take_from_start(launcher, [&] { execution.upload(initial_); })
                          : sampler_->take(launcher, generations, period);
    generations = sampled.generations_per_sample;

    results::Samples& samples = record.samples.emplace();
    samples.generations_per_sample = sampled.generations_per_sample;
    samples.ns = std::move(sampled.ns);
    samples.statistics = summarize(samples.ns, study_.sampling.seed);
    samples.stopped_by = sampled.stopped_by;
    // One generation counts as one Google Benchmark iteration.
    record.iterations = static_cast<std::int64_t>(samples.ns.size()) * generations;
    record.real_time_ns = samples.statistics.median * 1e-9 / generations * 1e9;
    if (!sampled.before || !sampled.after) return;
    std::vector<std::int64_t> during;
    for (const DeviceState& state : sampled.during)
        if (state.sm_clock_hz) during.push_back(*state.sm_clock_hz);
    record.device_state = {
        *sampled.before, std::move(sampled.during), *sampled.after,
        clock_fall(sampled.before->sm_clock_hz, during, sampled.after->sm_clock_hz)};
}

}  // namespace camber
