#include "harness/run/case_runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "harness/backend/host_memory.hpp"
#include "harness/backend/markers.hpp"
#include "harness/base/unsupported.hpp"
#include "harness/environment/clock_check.hpp"
#include "harness/run/kernel_timer.hpp"
#include "harness/run/poisoned_execution.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

namespace {

constexpr std::byte unset{0x5a};

// Of a variant whose runs differ, to see by how much.
constexpr int runs_of_unordered = 5;

double cpu_time() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

int thread_count(int requested) {
    return requested > 0 ? requested : omp_get_num_procs();
}

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

CaseRunner::CaseRunner(const Study& study)
    : study_(study), queue_(open_queue(study)), ledger_(*study.workload, study.generations) {
    check_memory(study, *queue_);
    initial_ = study.workload->initial(study.initial);
    expected_ = expected_state(
        *study.workload, initial_, study.problem.cell,
        {study.problem.boundary, study.problem.parameters, 0, thread_count(study.cpu_threads)},
        study.generations,
        [this](int generations, const State& state) { ledger_.enter(generations, state); });
    actual_ = initial_;
    flow_judge_.emplace(*study.workload, study.initial, study.problem.parameters, expected_);
    if (study.backend == Backend::cuda) {
        nvml_ = Nvml::open();
        for (const DeviceInfo& device : cuda_devices())
            if (device.index == study.device) pci_bus_id_ = device.pci_bus_id;
    }
    for (State* state : {&initial_, &actual_})
        for (HostField& field : state->fields)
            pinned_.push_back(std::make_unique<Pinned>(*queue_, field.bytes()));
    counter_ = std::make_unique<CaseCounter>(study_, *queue_, initial_, instruments_);
    sampler_ = std::make_unique<Sampler>(*queue_, study_, [this] { return device_state(); });
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
    result.name = case_name(study_, chosen);
    if (auto reason = reason_to_skip(variant, study_.problem, study_.generations, queue_->limits(),
                                     study_.backend)) {
        result.reason = std::move(*reason);
        return result;
    }
    queue_->set_label(variant.info.name());
    const MarkedRange marked_case(marker_name(variant.info.name()));
    queue_->take_kernel_facts();  // of whatever ran before
    const double cpu_start = cpu_time();
    try {
        const auto execution = variant.factories.at(study_.backend)(*queue_, study_.problem);
        if (!verified_.contains(result.name))
            verified_[result.name] = verify(*execution, chosen);
        else
            execution->upload(initial_);
        result.verification = verified_[result.name];
        if (!result.verification->passed()) {
            result.status = Status::failed;
            result.reason = describe(*result.verification);
            return result;
        }
        Launcher launcher(*queue_, *execution, variant.info.shape.generations, chosen.conditions);
        if (study_.from_start && chosen.conditions.submission == Submission::graph) {
            const Verification replayed = verify_recordings(*execution, launcher, variant);
            if (!replayed.passed()) {
                result.verification = replayed;
                result.status = Status::failed;
                result.reason = describe(replayed);
                return result;
            }
        }
        time(*execution, launcher, result);
        result.kernels = queue_->take_kernel_facts();
        if (last && instruments_.kernel_clock && instruments_.time_kernels)
            KernelTimer(*queue_, instruments_).time(*execution, result);
        if (last && instruments_.counters) counter_->count(*execution, result);
        result.status = Status::ok;
    } catch (const Unsupported& reason) {
        // It may have come through a shorter recording, which was verified.
        result.verification.reset();
        result.reason = reason.what();
        return result;
    } catch (const Error& error) {
        result.status = Status::failed;
        result.reason = error.what();
    }
    result.cpu_seconds = cpu_time() - cpu_start;
    return result;
}

Verification CaseRunner::verify(Execution& execution, const Case& chosen) {
    const MarkedRange marked("verify");
    const Tolerance tolerance = tolerance_of(*chosen.variant);
    const VariantInfo& info = chosen.variant->info;
    const bool unordered = info.arithmetic == Arithmetic::unordered;
    PoisonedExecution poisoned(execution, info.shape.generations);
    Launcher launcher(*queue_, poisoned, info.shape.generations, chosen.conditions);
    Verification result;
    std::optional<Flow> first;
    std::optional<State> own;
    std::optional<FlowSpread> spread;
    for (int run = 0; run == 0 || (unordered && first && run < runs_of_unordered); ++run) {
        compute(execution, [&] { launcher.advance_once(study_.generations); });
        std::optional<Flow> flow;
        Verification found = judge(tolerance, flow);
        if (run == 0) {
            if (study_.saves && found.flow.passed()) own = actual_;
            result = std::move(found);
            first = std::move(flow);
            if (first && unordered) spread.emplace();
            continue;
        }
        spread->add(compare(*first, *flow));
        if (result.passed() && !found.passed()) result = std::move(found);
    }
    result.flow.spread = spread;
    if (own && result.passed()) keep_own_state(chosen, std::move(*own));
    return result;
}

void CaseRunner::keep_own_state(const Case& chosen, State state) {
    const std::string name = case_name(study_, chosen);
    for (const Case& candidate : cases_of(study_)) {
        if (own_state_ && case_name(study_, candidate) == own_state_->first) return;
        if (case_name(study_, candidate) == name) break;
    }
    own_state_.emplace(name, std::move(state));
}

Verification CaseRunner::verify_recordings(Execution& execution, Launcher& launcher,
                                           const Variant& variant) {
    const MarkedRange marked("verify");
    const int launches = study_.generations / variant.info.shape.generations;
    compute(execution, [&] {
        launcher.prepare(study_.generations);
        // As before every sample. After an odd number of launches the execution would then look for
        // the result in the wrong one of two buffers.
        if (launches % 2 == 0) execution.upload(initial_);
        launcher.advance(study_.generations);
    });
    std::optional<Flow> flow;
    return judge(tolerance_of(variant), flow);
}

Verification CaseRunner::judge(const Tolerance& tolerance, std::optional<Flow>& flow) {
    Verification found = compare(expected_, actual_, tolerance, study_.generations,
                                 thread_count(study_.cpu_threads));
    flow = flow_judge_->flow_of(actual_);
    if (flow) found.flow = flow_judge_->judge(actual_, *flow, tolerance, found.differing_cells > 0);
    return found;
}

void CaseRunner::compute(Execution& execution, const std::function<void()>& advance) {
    execution.upload(initial_);
    advance();
    queue_->synchronize();
    for (HostField& field : actual_.fields) std::ranges::fill(field.bytes(), unset);
    execution.download(actual_);
}

Tolerance CaseRunner::tolerance_of(const Variant& variant) const {
    const Workload& workload = *study_.workload;
    if (variant.info.arithmetic != Arithmetic::canonical)
        return workload.reordered_tolerance(study_.problem.cell, study_.generations);
    if (study_.backend == Backend::cuda)
        return workload.device_tolerance(study_.problem.cell, study_.generations);
    return workload.tolerance(study_.generations);
}

void CaseRunner::time(Execution& execution, Launcher& launcher, CaseResult& result) {
    int& generations = generations_per_sample_[result.name];
    result.samples = study_.from_start
                         ? sampler_->take_from_start(launcher, [&] { execution.upload(initial_); })
                         : sampler_->take(launcher, generations);
    generations = result.samples.generations_per_sample;
    result.statistics = summarize(result.samples.ns, study_.sampling.seed);

    const Samples& samples = result.samples;
    std::vector<std::int64_t> during;
    for (const DeviceState& state : samples.during)
        if (state.sm_clock_hz) during.push_back(*state.sm_clock_hz);
    if (samples.before && samples.after)
        result.clock_fall =
            clock_fall(samples.before->sm_clock_hz, during, samples.after->sm_clock_hz);
}

}  // namespace camber
