#include "harness/run/case_runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "harness/backend/host_memory.hpp"
#include "harness/backend/markers.hpp"
#include "harness/base/unsupported.hpp"
#include "harness/counters/cupti_host.hpp"
#include "harness/counters/metric_sets.hpp"
#include "harness/environment/clock_check.hpp"
#include "harness/registry/host_waits.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

namespace {

constexpr std::byte unset{0x5a};

// Of a variant whose runs differ, to see by how much.
constexpr int runs_of_unordered = 5;

// Launches whose kernels are stamped by the device, per case: enough for a median.
constexpr double kernel_times_seconds = 0.05;
constexpr double least_kernel_times = 20;
constexpr double most_kernel_times = 400;

// Activity records add up to a microsecond to a kernel: beyond this length that is not worth a
// correction.
constexpr double calibrated_kernel_ns = 200e3;

// The library's kernels among those that were timed, each once: variants call them by
// Queue::minimum and Queue::select, which launch no kernel of this program. CUB's, by its
// namespace.
std::vector<KernelFacts> library_kernels(const std::vector<counters::KernelTime>& times) {
    std::vector<KernelFacts> found;
    for (const counters::KernelTime& time : times) {
        if (time.symbol.find("3cub") == std::string::npos ||
            std::ranges::find(found, time.symbol, &KernelFacts::symbol) != found.end())
            continue;
        found.push_back({});
        found.back().name = "library";
        found.back().symbol = time.symbol;
    }
    return found;
}

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
    sampler_ = std::make_unique<Sampler>(*queue_, study_, [this] { return device_state(); });
}

CaseRunner::~CaseRunner() = default;

std::optional<DeviceState> CaseRunner::device_state() const {
    return nvml_ ? nvml_->state(pci_bus_id_) : std::nullopt;
}

Instruments open_instruments(const Study& study) {
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
    // Single launches say little of kernels whose times change in a run.
    if (study.time && !study.from_start)
        open("kernel times", [&] { instruments.kernel_clock = counters::open_kernel_clock(); });
    if (instruments.kernel_clock)
        instruments.kernel_durations = [device = study.device](std::size_t kernels,
                                                               const std::function<void()>& work) {
            return counters::kernel_durations(device, kernels, work);
        };
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

std::vector<std::string> describe_differences(const CaseResult& result) {
    std::vector<std::string> sentences;
    // An estimate from some of the blocks may differ.
    if (result.model && result.model->method == Method::sampled) return sentences;
    for (const CounterComparison& quantity : result.model_comparisons)
        if (!quantity.agrees && !quantity.tolerance)
            sentences.push_back(fmt::format(
                "model and counters differ: {}: {} is predicted to be {:.0f}, and {} reads {:.0f}",
                result.variant->info.name(), quantity.quantity, quantity.predicted, quantity.metric,
                quantity.measured));
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
    if (chosen.conditions.submission == Submission::graph && waits_for_host(variant.info)) {
        result.reason = "waits on the host in every generation, which no graph replays";
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
        if (!result.counters.empty()) predict_counters(result);
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
    const bool unordered = chosen.variant->info.arithmetic == Arithmetic::unordered;
    Verification result;
    std::optional<Flow> first;
    std::optional<FlowSpread> spread;
    for (int run = 0; run == 0 || (unordered && first && run < runs_of_unordered); ++run) {
        compute(execution, chosen);
        Verification found = compare(expected_, actual_, tolerance, study_.generations,
                                     thread_count(study_.cpu_threads));
        std::optional<Flow> flow = flow_judge_->flow_of(actual_);
        if (flow)
            found.flow = flow_judge_->judge(actual_, *flow, tolerance, found.differing_cells > 0);
        if (run == 0) {
            result = std::move(found);
            first = std::move(flow);
            if (first && unordered) spread.emplace();
            continue;
        }
        spread->add(compare(*first, *flow));
        if (result.passed() && !found.passed()) result = std::move(found);
    }
    result.flow.spread = spread;
    return result;
}

void CaseRunner::compute(Execution& execution, const Case& chosen) {
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
}

Tolerance CaseRunner::tolerance_of(const Variant& variant) const {
    const Workload& workload = *study_.workload;
    if (variant.info.arithmetic != Arithmetic::canonical)
        return workload.reordered_tolerance(study_.problem.cell, study_.generations);
    if (study_.backend == Backend::cuda)
        return workload.device_tolerance(study_.problem.cell, study_.generations);
    return workload.tolerance(study_.generations);
}

void CaseRunner::time(Execution& execution, CaseResult& result) {
    Launcher launcher(*queue_, execution, result.variant->info.generations_per_launch,
                      result.conditions);
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

// Apart from the samples, because stamping every kernel costs time between them.
void CaseRunner::time_kernels(Execution& execution, CaseResult& result) {
    const MarkedRange marked("kernel-times");
    const int step = result.variant->info.generations_per_launch;
    const double enough = kernel_times_seconds / (result.seconds_per_generation() * step);
    const int pairs =
        static_cast<int>(std::clamp(enough, least_kernel_times, most_kernel_times) / 2);
    const int launches = 2 * pairs;
    Launcher launcher(*queue_, execution, step, result.conditions);
    const bool cold = result.conditions.cache == CacheState::cold;
    const auto launch = [&](int n) {
        if (cold)
            launcher.advance_separately(n);
        else
            launcher.advance(n * step);
        queue_->synchronize();
    };
    launcher.prepare(cold ? step : launches * step);
    try {
        const auto times = instruments_.kernel_clock->time([&] { launch(launches); });
        const std::vector<double> bias = clock_bias(times, launches, result.conditions, launch);
        std::vector<KernelFacts> kernels = result.kernels;
        std::ranges::copy(library_kernels(times), std::back_inserter(kernels));
        for (const KernelFacts& facts : kernels) {
            KernelTimes own{facts, {}, std::nullopt};
            for (std::size_t i = 0; i < times.size(); ++i) {
                if (times[i].symbol != facts.symbol) continue;
                if (!bias.empty()) own.clock_bias_ns = bias[i % bias.size()];
                own.samples_ns.push_back(times[i].ns - own.clock_bias_ns.value_or(0));
            }
            if (!own.samples_ns.empty()) result.kernel_times.push_back(std::move(own));
        }
        result.kernel_times_generations = launches * step;
    } catch (const Error& error) {
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
    }
}

// What the clock adds to each of a launch's kernels, compared with the counter from which Nsight
// Compute takes its times. Empty where that cannot be told, or hardly matters.
std::vector<double> CaseRunner::clock_bias(const std::vector<counters::KernelTime>& times,
                                           int launches, const Conditions& conditions,
                                           const std::function<void(int)>& launch) {
    const std::size_t kernels = times.size() / static_cast<std::size_t>(launches);
    // A graph as a whole would be one kernel to the counter.
    if (!instruments_.kernel_durations || conditions.submission == Submission::graph ||
        kernels == 0 || kernels * static_cast<std::size_t>(launches) != times.size())
        return {};
    double longest = 0;
    for (const counters::KernelTime& time : times) longest = std::max(longest, time.ns);
    if (longest > calibrated_kernel_ns) return {};
    try {
        constexpr int repetitions = 20;
        const std::vector<double> counted =
            instruments_.kernel_durations(kernels * repetitions, [&] { launch(repetitions); });
        std::vector<double> bias;
        for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
            std::vector<double> stamped;
            std::vector<double> reference;
            for (std::size_t i = kernel; i < times.size(); i += kernels)
                stamped.push_back(times[i].ns);
            for (std::size_t i = kernel; i < counted.size(); i += kernels)
                reference.push_back(counted[i]);
            bias.push_back(median(stamped) - median(reference));
        }
        return bias;
    } catch (const Error&) {
        instruments_.kernel_durations = {};  // the counter is withheld: times stay as stamped
        return {};
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

void CaseRunner::predict_counters(CaseResult& result) {
    const int capability = queue_->limits().compute_capability;
    const Variant& variant = *result.variant;
    if (capability == 0 || !variant.factories.contains(Backend::simt)) return;
    try {
        auto found = predictions_.find(&variant);
        if (found == predictions_.end()) {
            const Architecture architecture =
                parse_architecture(fmt::format("{}.{}", capability / 10, capability % 10));
            const InitialData data{study_.workload, study_.initial, &initial_};
            found =
                predictions_.emplace(&variant, predict(variant, study_.problem, data, architecture))
                    .first;
        }
        result.model = found->second;
        result.model_comparisons =
            compare_with_counters(quantities(result.model->total()), result.counters);
    } catch (const std::exception& error) {
        // The measurement stands without its prediction.
        instruments_.failures["the model of " + variant.info.name()] = error.what();
    }
}

}  // namespace camber
