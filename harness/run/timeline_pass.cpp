#include "harness/run/timeline_pass.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "analysis/timeline/quantities.hpp"
#include "harness/backend/markers.hpp"

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
