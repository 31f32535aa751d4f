#include "harness/measure/timeline_pass.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "analysis/timeline/quantities.hpp"
#include "harness/machine/queue/markers.hpp"
#include "harness/measure/sampler.hpp"

namespace camber {

namespace {

// A queue reports for the life of this.
class Reporting {
  public:
    Reporting(Queue& queue, SpanLog& log) : queue_(queue) { queue_.report_to(&log); }
    ~Reporting() { queue_.report_to(nullptr); }
    Reporting(const Reporting&) = delete;
    Reporting& operator=(const Reporting&) = delete;

  private:
    Queue& queue_;
};

// "DeviceReduceKernel" of "void cub::detail::DeviceReduceKernel<float>(float*, int)".
std::string function_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !text) return symbol;
    std::string name;
    int depth = 0;  // of template arguments
    for (const char c : std::string_view(text.get())) {
        if (c == '>') --depth;
        if (depth == 0 && c == '(' && !name.empty()) break;
        if (depth == 0 && c != '>' && c != '<') name += c;
        if (depth == 0 && (c == ' ' || c == ':')) name.clear();
        if (c == '<') ++depth;
    }
    return name.empty() ? symbol : name;
}

}  // namespace

void name_kernels(Timeline& timeline, const std::vector<KernelFacts>& kernels) {
    for (Span& span : timeline.spans) {
        if (span.kind != SpanKind::kernel) continue;
        const auto own = std::ranges::find(kernels, span.name, &KernelFacts::symbol);
        span.name = own != kernels.end() ? own->name : function_name(span.name);
    }
}

Timeline record_timeline(Queue& queue, Execution& execution, const std::string& place,
                         const LaunchesShown& launches, counters::ActivityTrace* trace,
                         const std::function<void()>& restart, const std::function<void()>& meet) {
    const int step = launches.step;
    const int shown = launches.shown();
    const bool cold = launches.conditions.cache == CacheState::cold;
    int before = timeline_launches;
    if (launches.study.from_start) {
        const int all = launches.study.generations / step;
        before = std::min(before, all - shown);
        restart();
        execution.advance((all - shown - before) * step);
    }
    // Each records its own launches, where they are recorded: no others can be replayed for them.
    Launcher first(queue, execution, step, launches.conditions);
    Launcher second(queue, execution, step, launches.conditions);
    const auto run = [&](Launcher& launcher, int count) {
        if (cold)
            launcher.advance_separately(count);
        else if (count > 0)
            launcher.advance(count * step);
        queue.synchronize();
    };
    return record_timeline(
        queue, place, trace,
        [&] {
            run(first, before);
            second.prepare(cold ? step : shown * step);
            queue.synchronize();
        },
        [&] {
            if (meet) meet();
            const MarkedRange marked("timeline");
            run(second, shown);
        });
}

Timeline record_timeline(Queue& queue, const std::string& place, counters::ActivityTrace* trace,
                         const std::function<void()>& before, const std::function<void()>& work) {
    SpanLog log(trace ? SpanLog::Clock([trace] { return trace->now(); }) : SpanLog::steady_ns);
    log.name_place(0, place);
    log.host_lane();  // above the queues
    const Reporting reporting(queue, log);
    const MarkedRangesIn ranges(log);
    std::int64_t start = 0;
    const auto both = [&] {
        before();
        start = log.now();
        work();
    };
    if (trace)
        trace->record(log, both);
    else
        both();
    Timeline timeline = log.take(start);
    timeline.residual_ns = trace ? timeline::clock_residual_ns(timeline) : 0;
    return timeline;
}

}  // namespace camber
