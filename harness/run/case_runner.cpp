#include "harness/run/case_runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <span>
#include <utility>

#include "harness/backend/host_memory.hpp"
#include "harness/counters/cupti_host.hpp"
#include "harness/counters/metric_sets.hpp"
#include "harness/environment/clock_check.hpp"
#include "harness/run/markers.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

namespace {

constexpr std::byte unset{0x5a};

// Launches whose kernels are stamped by the device, per case: enough for a median.
constexpr double kernel_times_seconds = 0.05;
constexpr double least_kernel_times = 20;
constexpr double most_kernel_times = 400;

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
    sampler_ = std::make_unique<Sampler>(*queue_, study_, [this] { return device_state(); });
}

CaseRunner::~CaseRunner() = default;

std::optional<DeviceState> CaseRunner::device_state() const {
    return nvml_ ? nvml_->state(pci_bus_id_) : std::nullopt;
}

namespace {

// Activity records end a little after the kernel does: what they add is the same for all kernels,
// about a microsecond, and is the difference to the counter from which Nsight Compute takes times.
// Nothing where counters are withheld.
std::optional<double> measure_clock_bias(counters::KernelClock& clock, int device, Queue& queue) {
    constexpr std::size_t kernels = 40;
    constexpr std::size_t elements = std::size_t{2} << 20;
    constexpr float value = 1;
    const Memory memory(queue, elements * sizeof value);
    const auto work = [&] {
        for (std::size_t i = 0; i < kernels; ++i)
            queue.fill(memory.get(), elements, std::as_bytes(std::span(&value, 1)));
        queue.synchronize();
    };
    try {
        work();
        std::vector<double> stamped;
        for (const counters::KernelTime& time : clock.time(work)) stamped.push_back(time.ns);
        return median(stamped) - median(counters::kernel_durations(device, kernels, work));
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

Instruments open_instruments(const Study& study, Queue& queue) {
    Instruments instruments;
    if (study.backend != Backend::cuda) return instruments;
    // A machine that keeps its counters to itself still has times to offer.
    const auto open = [&](const char* what, const auto& make) {
        try {
            make();
        } catch (const Error& error) {
            if (error.code() != ExitCode::unavailable) throw;
            instruments.failures[what] = error.what();
        }
    };
    if (!study.counters.empty())
        open("counters", [&] {
            const std::string chip = counters::chip_of_device(study.device);
            instruments.counters = std::make_unique<counters::CounterSession>(
                chip, counters::resolve(study.counters, counters::ChipMetrics(chip)));
        });
    if (study.time)
        open("kernel times", [&] { instruments.kernel_clock = counters::open_kernel_clock(); });
    if (instruments.kernel_clock)
        instruments.clock_bias_ns =
            measure_clock_bias(*instruments.kernel_clock, study.device, queue);
    return instruments;
}

std::vector<std::string> describe_failures(const std::map<std::string, std::string>& failures) {
    std::map<std::string, std::vector<std::string>> missing;
    for (const auto& [what, why] : failures) missing[why].push_back(what);
    std::vector<std::string> sentences;
    for (const auto& [why, what] : missing)
        sentences.push_back(fmt::format("going on without {}: {}", fmt::join(what, " and "), why));
    return sentences;
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
        time(*execution, result);
        result.kernels = queue_->take_kernel_facts();
        if (instruments_.kernel_clock && last) time_kernels(*execution, result);
        if (instruments_.counters && last) count(*execution, result);
        result.status = Status::ok;
    } catch (const Error& error) {
        result.status = Status::failed;
        result.reason = error.what();
    }
    result.cpu_seconds = cpu_time() - cpu_start;
    return result;
}

Verification CaseRunner::verify(Execution& execution, const Case& chosen) {
    const MarkedRange marked("verify");
    const int step = chosen.variant->info.generations_per_launch;
    const auto generations = [&] {
        for (int done = 0; done < study_.generations; done += step) {
            execution.poison();
            execution.advance(step);
        }
    };
    execution.upload(initial_);
    if (chosen.conditions.submission == Submission::graph)
        queue_->record(generations)->replay();
    else
        generations();
    queue_->synchronize();
    for (HostField& field : actual_.fields) std::ranges::fill(field.bytes(), unset);
    execution.download(actual_);
    return compare(expected_, actual_, study_.generations, thread_count(study_.cpu_threads));
}

void CaseRunner::time(Execution& execution, CaseResult& result) {
    Launcher launcher(*queue_, execution, result.variant->info.generations_per_launch,
                      result.conditions);
    int& generations = generations_per_sample_[result.name];
    result.samples = sampler_->take(launcher, generations);
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

// Apart from the samples, because stamping every kernel costs time between them.
void CaseRunner::time_kernels(Execution& execution, CaseResult& result) {
    const MarkedRange marked("kernel-times");
    const int step = result.variant->info.generations_per_launch;
    Launcher launcher(*queue_, execution, step, result.conditions);
    const int launches =
        static_cast<int>(std::clamp(kernel_times_seconds / (result.seconds_per_generation() * step),
                                    least_kernel_times, most_kernel_times));
    const bool cold = result.conditions.cache == CacheState::cold;
    const int generations = launches / 2 * 2 * step;
    launcher.prepare(cold ? step : generations);
    try {
        const auto times = instruments_.kernel_clock->time([&] {
            if (cold)
                launcher.advance_separately(launches / 2 * 2);
            else
                launcher.advance(generations);
            queue_->synchronize();
        });
        for (const KernelFacts& facts : result.kernels) {
            KernelTimes own{facts, {}, 0};
            for (const counters::KernelTime& time : times) {
                if (time.symbol != facts.symbol) continue;
                own.samples_ns.push_back(time.ns - instruments_.clock_bias_ns.value_or(0));
                own.shared_bytes = time.shared_bytes;
            }
            if (!own.samples_ns.empty()) result.kernel_times.push_back(std::move(own));
        }
        result.kernel_times_generations = generations;
    } catch (const Error& error) {
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
    }
}

// Apart from timing: counting serialises kernels and repeats them, once per pass.
void CaseRunner::count(Execution& execution, CaseResult& result) {
    const MarkedRange marked("counters");
    try {
        result.counters = instruments_.counters->measure(
            [&] {
                execution.upload(initial_);
                if (result.conditions.cache == CacheState::cold) queue_->evict_caches();
                queue_->synchronize();
            },
            [&] { execution.advance(result.variant->info.generations_per_launch); });
    } catch (const Error& error) {
        // The variant is right and timed all the same.
        instruments_.failures["counters"] = error.what();
        instruments_.counters.reset();
    }
}

}  // namespace camber
