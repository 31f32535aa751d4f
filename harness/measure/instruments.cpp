#include "harness/measure/instruments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/metric_sets.hpp"

namespace camber {

namespace {

// Of a run in intervals the clock times each as it is.
bool times_graphs(const Study& study) {
    return study.time && study.intervals == 0 &&
           std::ranges::find(study.conditions, Submission::graph, &Conditions::submission) !=
               study.conditions.end();
}

// A machine that keeps its counters to itself still has times to offer.
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
    // Single launches say little of kernels whose times change in a run, or that run on several
    // places at once.
    instruments.time_kernels = study.time && !study.from_start && !is_divided(study);
    const bool clocked = instruments.time_kernels || open_counters || study.intervals > 0;
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

}  // namespace camber
