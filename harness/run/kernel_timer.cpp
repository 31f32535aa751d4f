#include "harness/run/kernel_timer.hpp"

#include <algorithm>
#include <utility>

#include "harness/backend/markers.hpp"
#include "harness/base/error.hpp"
#include "harness/results/derive.hpp"
#include "harness/run/sampler.hpp"

namespace camber {

namespace {

// Launches whose kernels are stamped by the device, per case: enough for a median.
constexpr double kernel_times_seconds = 0.02;
constexpr double least_kernel_times = 20;
constexpr double most_kernel_times = 400;

// Activity records add up to a microsecond to a kernel: beyond this length that is not worth a
// correction.
constexpr double calibrated_kernel_ns = 200e3;

// A kernel by the name under which results know it, and its symbol.
using NamedKernel = std::pair<std::string, std::string>;

// The variant's own kernels, and the library's among those that were timed, each once.
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

}  // namespace

bool is_library_kernel(const std::string& symbol) {
    return symbol.find("3cub") != std::string::npos;  // its namespace
}

void KernelTimer::time(Execution& execution, CaseResult& result, std::uint64_t seed) {
    const MarkedRange marked("kernel-times");
    const int step = result.variant->info.shape.generations;
    const double enough = kernel_times_seconds / (result.seconds_per_generation() * step);
    const int pairs =
        static_cast<int>(std::clamp(enough, least_kernel_times, most_kernel_times) / 2);
    const int launches = 2 * pairs;
    Launcher launcher(queue_, execution, step, result.conditions);
    const bool cold = result.conditions.cache == CacheState::cold;
    const auto launch = [&](int n) {
        if (cold)
            launcher.advance_separately(n);
        else
            launcher.advance(n * step);
        queue_.synchronize();
    };
    launcher.prepare(cold ? step : launches * step);
    try {
        const auto times = instruments_.kernel_clock->time([&] { launch(launches); });
        const std::vector<double> bias = clock_bias(times, launches, result.conditions, launch);
        results::KernelTimes measured;
        measured.generations = launches * step;
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
        if (measured.kernels.empty()) return;
        sum_up(measured, result.record.real_time_ns);
        result.record.kernel_times = std::move(measured);
    } catch (const Error& error) {
        instruments_.failures["kernel times"] = error.what();
        instruments_.kernel_clock.reset();
    }
}

// What the clock adds to each of a launch's kernels, compared with the counter from which Nsight
// Compute takes its times. Empty where that cannot be told, or hardly matters.
std::vector<double> KernelTimer::clock_bias(const std::vector<counters::KernelTime>& times,
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

}  // namespace camber
