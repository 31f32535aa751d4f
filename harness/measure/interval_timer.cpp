#include "harness/measure/interval_timer.hpp"

#include <algorithm>
#include <chrono>

#include "harness/base/stop_signal.hpp"
#include "harness/machine/queue/markers.hpp"
#include "harness/measure/activity.hpp"
#include "harness/measure/kernel_timer.hpp"

namespace camber {

namespace {

constexpr int least_runs = 3;
constexpr int most_runs = 100;

// Adds what the kernels took, each under its name.
void add_kernels(results::Interval& interval, const std::vector<counters::KernelTime>& times,
                 const std::vector<results::Kernel>& kernels) {
    for (const counters::KernelTime& time : times) {
        const auto own = std::ranges::find_if(kernels, [&](const results::Kernel& kernel) {
            return kernel.symbol.value_or("") == time.symbol;
        });
        const std::string name = own != kernels.end()             ? own->name
                                 : is_library_kernel(time.symbol) ? "library"
                                                                  : time.symbol;
        auto found = std::ranges::find(interval.kernels, name, &results::IntervalKernel::name);
        if (found == interval.kernels.end())
            found = interval.kernels.insert(interval.kernels.end(), {name, 0});
        found->ns_per_generation += time.ns / interval.generations();
    }
}

}  // namespace

std::vector<results::Interval> time_intervals(Queue& queue, Execution& execution,
                                              const Study& study, int step,
                                              const std::function<void()>& restart,
                                              const std::vector<results::Kernel>& kernels,
                                              counters::KernelClock* clock) {
    using Clock = std::chrono::steady_clock;
    const MarkedRange marked("intervals");
    const std::vector<int> bounds = interval_bounds(study.generations, study.intervals, step);
    std::vector<results::Interval> intervals;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
        intervals.push_back({bounds[i], bounds[i + 1], {}, {}});
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (int run = 0;
         run < least_runs || (run < most_runs && seconds() < study.sampling.budget_seconds);
         ++run) {
        check_stop();
        restart();
        queue.synchronize();
        for (results::Interval& interval : intervals)
            interval.samples_ns.push_back(
                queue.time([&] { execution.advance(interval.generations()); }) * 1e9);
    }
    if (!clock) return intervals;
    restart();
    queue.synchronize();
    for (results::Interval& interval : intervals)
        add_kernels(interval, clock->time([&] {
            execution.advance(interval.generations());
            queue.synchronize();
        }),
                    kernels);
    return intervals;
}

}  // namespace camber
