#include "harness/measure/instruments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/metric_sets.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

// In a run in intervals, the clock times each interval as it is submitted.
bool times_graphs(const Study& study) {
    return study.time && study.intervals == 0 &&
           std::ranges::find(study.conditions, Submission::graph, &Conditions::submission) !=
               study.conditions.end();
}

// If counters are unavailable, times can still be measured.
void open(Instruments& instruments, const char* what, const std::function<void()>& make) {
    try {
        make();
    } catch (const Error& error) {
        if (error.code() != ExitCode::unavailable) throw;
        instruments.failures[what] = error.what();
    }
}

}  // namespace

Instruments open_instruments(const Study& study) {
    Instruments instruments;
    if (study.backend != Backend::cuda) return instruments;
    const auto profiler = std::make_shared<counters::SharedProfiler>();
    instruments.release = [profiler] { profiler->release(); };
    std::function<void(Instruments&)> open_counters;
    if (!study.counters.empty())
        open(instruments, "counters", [&] {
            const std::string chip = counters::chip_of_device(study.device);
            const auto chosen = counters::resolve(study.counters, counters::ChipMetrics(chip));
            const auto fewer = counters::without_textures(chosen, study.counters);
            open_counters = [=](Instruments& of) {
                auto all = std::make_unique<counters::CounterSession>(chip, chosen, profiler);
                auto some = std::make_unique<counters::CounterSession>(chip, fewer, profiler);
                if (some->passes() < all->passes()) of.counters_without_textures = std::move(some);
                of.counters = std::move(all);
            };
        });
    // Single launches are not representative of kernels whose times change during a run, or that
    // run on several devices at once.
    instruments.time_kernels = study.time && !study.from_start && !is_divided(study);
    // Graphs of long runs are not clocked, so that the clock does not slow their kernels down.
    const bool from_states = study.time && study.states > 0 && !times_graphs(study);
    const bool clocked =
        instruments.time_kernels || open_counters || study.intervals > 0 || from_states;
    const auto open_all = [=](Instruments& of) {
        if (open_counters) open(of, "counters", [&] { open_counters(of); });
        if (clocked)
            open(of, "kernel times", [&] { of.kernel_clock = counters::open_kernel_clock(); });
    };
    if (times_graphs(study) && clocked)
        instruments.open_late = open_all;
    else
        open_all(instruments);
    if ((instruments.kernel_clock || instruments.open_late) && instruments.time_kernels)
        instruments.kernel_durations = [device = study.device, profiler,
                                        counter = std::shared_ptr<counters::DurationCounter>()](
                                           std::size_t kernels,
                                           const std::function<void()>& work) mutable {
            if (!counter) counter = std::make_shared<counters::DurationCounter>(device, profiler);
            return counter->measure(kernels, work);
        };
    if (study.traced) try {
            instruments.activity_trace = counters::open_activity_trace();
        } catch (const Error& error) {
            throw Error(error.code(),
                        fmt::format("the timeline cannot be recorded: {}", error.what()));
        }
    else if (is_divided(study))
        open(instruments, timeline_failure,
             [&] { instruments.activity_trace = counters::open_activity_trace(); });
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

namespace {

// Duration of the launches whose kernels the device stamps, per case: enough for a median.
constexpr double kernel_times_seconds = 0.01;
constexpr double least_kernel_times = 6;
constexpr double most_kernel_times = 400;

// Activity records add up to a microsecond per kernel. For longer kernels a correction is not
// worthwhile.
constexpr double calibrated_kernel_ns = 200e3;

// Kernel name in results files, and its symbol.
using NamedKernel = std::pair<std::string, std::string>;

// The variant's own kernels and the library kernels that were timed, each once.
std::vector<NamedKernel> kernels_of(const std::vector<results::Kernel>& own,
                                    const std::vector<counters::KernelTime>& times) {
    std::vector<NamedKernel> found;
    for (const results::Kernel& kernel : own)
        found.emplace_back(kernel.name, kernel.symbol.value_or(""));
    for (const counters::KernelTime& time : times)
        if (is_library_kernel(time.symbol) &&
            std::ranges::find(found, time.symbol, &NamedKernel::second) == found.end())
            found.emplace_back("library", time.symbol);
    return found;
}

// `bias`: nanoseconds that the clock adds to each kernel of a launch; empty means no correction.
results::KernelTimes recorded(const CaseResult& result,
                              const std::vector<counters::KernelTime>& times, int launches,
                              const std::vector<double>& bias, std::uint64_t seed) {
    results::KernelTimes measured;
    measured.generations = launches * result.variant->info.shape.generations;
    for (const auto& [name, symbol] : kernels_of(result.record.kernels, times)) {
        results::KernelTime own;
        own.name = name;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i].symbol != symbol) continue;
            if (!bias.empty()) own.clock_bias_ns = bias[i % bias.size()];
            own.samples_ns.push_back(times[i].ns - own.clock_bias_ns.value_or(0));
        }
        if (own.samples_ns.empty()) continue;
        own.statistics = summarize(own.samples_ns, seed);
        measured.kernels.push_back(std::move(own));
    }
    if (!measured.kernels.empty()) sum_up(measured, result.record.real_time_ns);
    return measured;
}

// Launches under the conditions of a case, repeatable from the state that they leave.
class TimedLaunches {
  public:
    TimedLaunches(Queue& queue, Execution& execution, const CaseResult& result, int most)
        : queue_(queue),
          step_(result.variant->info.shape.generations),
          cold_(result.conditions.cache == CacheState::cold),
          launcher_(queue, execution, step_, result.conditions) {
        launcher_.prepare(cold_ ? step_ : most * step_);
    }

    void run(int launches) {
        if (cold_)
            launcher_.advance_separately(launches);
        else
            launcher_.advance(launches * step_);
        queue_.synchronize();
    }

  private:
    Queue& queue_;
    int step_;
    bool cold_;
    Launcher launcher_;
};

}  // namespace

bool is_library_kernel(const std::string& symbol) {
    return symbol.find("3cub") != std::string::npos;  // the mangled namespace of CUB
}

// A case that only copies has no kernel. If the clock has seen no kernel of any case, it does not
// work.
void KernelTimer::note_whether_seen(const std::vector<counters::KernelTime>& times) {
    if (!times.empty()) {
        if (!instruments_.clock_has_seen_a_kernel) instruments_.failures.erase("kernel times");
        instruments_.clock_has_seen_a_kernel = true;
    } else if (!instruments_.clock_has_seen_a_kernel) {
        instruments_.failures["kernel times"] =
            "CUPTI reports no kernel: another profiler may hold its activity records; run camber "
            "without it";
    }
}

void KernelTimer::time(Execution& execution, CaseResult& result, std::uint64_t seed) {
    if (result.kernels.empty()) return;  // the case only copies
    const MarkedRange marked("kernel-times");
    const int step = result.variant->info.shape.generations;
    const double enough = kernel_times_seconds / (result.seconds_per_generation() * step);
    const int pairs =
        static_cast<int>(std::clamp(enough, least_kernel_times, most_kernel_times) / 2);
    const int launches = 2 * pairs;
    TimedLaunches timed(queue_, execution, result, launches);
    try {
        const auto launch = [&] { timed.run(launches); };
        counters::KernelClock& clock = *instruments_.kernel_clock;
        result.stamps = result.conditions.submission == Submission::graph
                            ? clock.time_graphs(launch)
                            : clock.time(launch);
        result.stamped_launches = launches;
        note_whether_seen(result.stamps);
        results::KernelTimes measured = recorded(result, result.stamps, launches, {}, seed);
        if (!measured.kernels.empty()) result.record.kernel_times = std::move(measured);
        if (!correctable(result)) result.stamps.clear();
    } catch (const Error& error) {
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
    }
}

bool KernelTimer::correctable(const CaseResult& result) const {
    const auto launches = static_cast<std::size_t>(result.stamped_launches);
    // The counter would report a whole graph as one kernel.
    if (!instruments_.kernel_durations || result.conditions.submission == Submission::graph ||
        !result.record.kernel_times || result.stamps.empty() ||
        result.stamps.size() % launches != 0)
        return false;
    double longest = 0;
    for (const counters::KernelTime& time : result.stamps) longest = std::max(longest, time.ns);
    return longest <= calibrated_kernel_ns;
}

void KernelTimer::correct(Execution& execution, CaseResult& result, std::uint64_t seed) {
    if (!correctable(result)) return;
    const MarkedRange marked("kernel-durations");
    constexpr int repetitions = 20;
    const std::size_t kernels =
        result.stamps.size() / static_cast<std::size_t>(result.stamped_launches);
    TimedLaunches timed(queue_, execution, result, repetitions);
    try {
        const std::vector<double> counted =
            instruments_.kernel_durations(kernels * repetitions, [&] { timed.run(repetitions); });
        std::vector<double> bias;
        for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
            std::vector<double> stamped;
            std::vector<double> reference;
            for (std::size_t i = kernel; i < result.stamps.size(); i += kernels)
                stamped.push_back(result.stamps[i].ns);
            for (std::size_t i = kernel; i < counted.size(); i += kernels)
                reference.push_back(counted[i]);
            bias.push_back(median(stamped) - median(reference));
        }
        result.record.kernel_times =
            recorded(result, result.stamps, result.stamped_launches, bias, seed);
    } catch (const Error&) {
        // The counter is unavailable, so times stay uncorrected.
        instruments_.kernel_durations = {};
    }
}

}  // namespace camber
