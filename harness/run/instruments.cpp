#include "harness/run/instruments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/counters/cupti_host.hpp"
#include "harness/counters/metric_sets.hpp"

namespace camber {

namespace {

bool times_graphs(const Study& study) {
    return study.time && std::ranges::find(study.conditions, Submission::graph,
                                           &Conditions::submission) != study.conditions.end();
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

void open_clock(Instruments& instruments) {
    open(instruments, "kernel times",
         [&] { instruments.kernel_clock = counters::open_kernel_clock(); });
}

}  // namespace

Instruments open_instruments(const Study& study) {
    Instruments instruments;
    if (study.backend != Backend::cuda) return instruments;
    const auto profiler = std::make_shared<counters::SharedProfiler>();
    instruments.release = [profiler] { profiler->release(); };
    if (!study.counters.empty())
        open(instruments, "counters", [&] {
            const std::string chip = counters::chip_of_device(study.device);
            const auto chosen = counters::resolve(study.counters, counters::ChipMetrics(chip));
            auto all = std::make_unique<counters::CounterSession>(chip, chosen, profiler);
            auto fewer = std::make_unique<counters::CounterSession>(
                chip, counters::without_textures(chosen, study.counters), profiler);
            if (fewer->passes() < all->passes())
                instruments.counters_without_textures = std::move(fewer);
            instruments.counters = std::move(all);
        });
    // Single launches say little of kernels whose times change in a run, or that run on several
    // places at once.
    instruments.time_kernels = study.time && !study.from_start && !is_divided(study);
    if (instruments.time_kernels || instruments.counters || study.intervals > 0) {
        if (times_graphs(study))
            instruments.open_clock = open_clock;
        else
            open_clock(instruments);
    }
    if ((instruments.kernel_clock || instruments.open_clock) && instruments.time_kernels)
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
