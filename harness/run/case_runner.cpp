#include "harness/run/case_runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "harness/backend/host_memory.hpp"
#include "harness/counters/cupti_host.hpp"
#include "harness/counters/metric_sets.hpp"
#include "harness/environment/clock_check.hpp"
#include "harness/run/markers.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

namespace {

constexpr std::byte unset{0x5a};

double cpu_time() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

int thread_count(int requested) {
    return requested > 0 ? requested : omp_get_num_procs();
}

std::unique_ptr<Queue> open_queue(Backend backend, int device, int cpu_threads) {
    switch (backend) {
        case Backend::cuda:
            return open_cuda(device);
        case Backend::simt:
            return std::make_unique<simt::HostQueue>(cpu_threads);
        case Backend::cpu:
            return std::make_unique<HostMemoryQueue>();
    }
    return nullptr;
}

CaseRunner::CaseRunner(const Study& study)
    : study_(study), queue_(open_queue(study.backend, study.device, study.cpu_threads)) {
    check_memory(study, *queue_);
    initial_ = study.workload->initial(study.initial);
    expected_ = initial_;
    advance(*study.workload, expected_, study.problem.boundary, study.generations,
            thread_count(study.cpu_threads));
    actual_ = initial_;
    if (study.backend == Backend::cuda) {
        nvml_ = Nvml::open();
        for (const DeviceInfo& device : cuda_devices())
            if (device.index == study.device) pci_bus_id_ = device.pci_bus_id;
    }
    for (State* state : {&initial_, &actual_})
        for (HostField& field : state->fields)
            pinned_.push_back(std::make_unique<Pinned>(*queue_, field.bytes()));
}

CaseRunner::~CaseRunner() = default;

std::optional<DeviceState> CaseRunner::device_state() const {
    return nvml_ ? nvml_->state(pci_bus_id_) : std::nullopt;
}

void CaseRunner::enable_counters() {
    const std::string chip = counters::chip_of_device(study_.device);
    counters_ = std::make_unique<counters::CounterSession>(
        chip, counters::resolve(study_.counters, counters::ChipMetrics(chip)));
}

CaseResult CaseRunner::run(const Variant& variant) {
    CaseResult result;
    result.variant = &variant;
    result.name = case_name(study_, variant);
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
        if (!verified_.contains(&variant))
            verified_[&variant] = verify(*execution, variant);
        else
            execution->upload(initial_);
        result.verification = verified_[&variant];
        if (!result.verification->passed()) {
            result.status = Status::failed;
            result.reason = describe(*result.verification);
            return result;
        }
        measure(*execution, result);
        result.kernels = queue_->take_kernel_facts();
        if (counters_) count(*execution, result);
        result.status = Status::ok;
    } catch (const Error& error) {
        result.status = Status::failed;
        result.reason = error.what();
    }
    result.cpu_seconds = cpu_time() - cpu_start;
    return result;
}

Verification CaseRunner::verify(Execution& execution, const Variant& variant) {
    const MarkedRange marked("verify");
    execution.upload(initial_);
    const int step = variant.info.generations_per_launch;
    for (int done = 0; done < study_.generations; done += step) {
        execution.poison();
        execution.advance(step);
    }
    queue_->synchronize();
    for (HostField& field : actual_.fields) std::ranges::fill(field.bytes(), unset);
    execution.download(actual_);
    return compare(expected_, actual_, study_.generations, thread_count(study_.cpu_threads));
}

void CaseRunner::measure(Execution& execution, CaseResult& result) {
    using Clock = std::chrono::steady_clock;
    const int step = result.variant->info.generations_per_launch;
    const auto sample = [&](int generations) {
        return queue_->time([&] { execution.advance(generations); });
    };
    int generations = step;
    if (study_.time) {
        // The first launches also warm up; from their time, as many as fill a sample.
        const MarkedRange marked("warm-up");
        sample(step);
        const double once = sample(step);
        const double wanted = std::ceil(study_.seconds_per_sample / std::max(once, 1e-7));
        generations = step * static_cast<int>(std::clamp(wanted, 1.0, 100000.0));
        sample(generations);
    }
    ConfidenceRule rule(study_.sampling);
    result.device_before = device_state();
    const auto start = Clock::now();
    std::optional<std::string> verdict;
    while (!verdict) {
        const MarkedRange marked("sample", static_cast<std::int64_t>(result.samples_ns.size()));
        result.samples_ns.push_back(sample(generations) * 1e9);
        verdict = study_.time
                      ? rule.verdict(result.samples_ns,
                                     std::chrono::duration<double>(Clock::now() - start).count())
                      : "sample limit";
    }
    result.device_after = device_state();
    if (result.device_before && result.device_after)
        result.clock_fall =
            clock_fall(result.device_before->sm_clock_hz, {}, result.device_after->sm_clock_hz);
    result.generations_per_sample = generations;
    result.stopped_by = *verdict;
    result.statistics = summarize(result.samples_ns, study_.sampling.seed);
}

// Apart from timing: counting serialises kernels and repeats them, once per pass.
void CaseRunner::count(Execution& execution, CaseResult& result) {
    const MarkedRange marked("counters");
    try {
        result.counters = counters_->measure(
            [&] {
                execution.upload(initial_);
                queue_->synchronize();
            },
            [&] { execution.advance(result.variant->info.generations_per_launch); });
    } catch (const Error& error) {
        // The variant is right and timed all the same.
        counters_failure_ = error.what();
        counters_.reset();
    }
}

}  // namespace camber
