#include "harness/measure/timeline_pass.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/timeline/quantities.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/timeline_file.hpp"

namespace camber {

namespace {

// The queue reports its operations during the lifetime of this object.
class Reporting {
  public:
    Reporting(Queue& queue, SpanLog& log) : queue_(queue) { queue_.report_to(&log); }
    ~Reporting() { queue_.report_to(nullptr); }
    Reporting(const Reporting&) = delete;
    Reporting& operator=(const Reporting&) = delete;

  private:
    Queue& queue_;
};

// Returns "DeviceReduceKernel" for "void cub::detail::DeviceReduceKernel<float>(float*, int)".
std::string function_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) return symbol;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    if (status != 0 || !text) return symbol;
    std::string name;
    int depth = 0;  // nesting depth of template arguments
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
    // Separate launchers, because a recording can be replayed only for its own launches.
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
    log.host_lane();  // the host's row is shown above the queues
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

namespace {

constexpr int barriers_passed = 16;
constexpr const char* barrier_name = "ranks meet";

// Offset of call numbers, which are unique only within one rank.
constexpr std::int64_t correlations_per_rank = std::int64_t{1} << 40;

std::string text_of(const BarrierTimes& times) {
    std::string text;
    for (const auto& [entered, left] : times.passages) text += fmt::format("{} {} ", entered, left);
    return text;
}

BarrierTimes times_in(const std::string& text) {
    std::istringstream in(text);
    BarrierTimes times;
    for (BarrierTimes::Passage one; in >> one.entered >> one.left;) times.passages.push_back(one);
    return times;
}

}  // namespace

ClockLead lead_of(const BarrierTimes& ahead, const BarrierTimes& base) {
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < std::min(ahead.passages.size(), base.passages.size()); ++i) {
        most = std::min(most, ahead.passages[i].left - base.passages[i].entered);
        least = std::max(least, ahead.passages[i].entered - base.passages[i].left);
    }
    // If clocks drift, no lead may satisfy all bounds; then the midpoint is also the best estimate.
    return {least + (most - least) / 2, std::abs(static_cast<double>(most - least)) / 2};
}

Timeline merged_timeline(std::vector<Timeline> timelines,
                         const std::vector<BarrierTimes>& barriers) {
    Timeline whole;
    whole.name = timelines.front().name;
    whole.residual_ns = 0;
    for (std::size_t rank = 0; rank < timelines.size(); ++rank) {
        Timeline& own = timelines[rank];
        const ClockLead lead = rank == 0 ? ClockLead{} : lead_of(barriers[rank], barriers.front());
        if (whole.residual_ns && own.residual_ns)
            whole.residual_ns = std::max(*whole.residual_ns, *own.residual_ns + lead.residual_ns);
        else
            whole.residual_ns.reset();
        const int place = static_cast<int>(whole.places.size());
        const int lane = static_cast<int>(whole.lanes.size());
        for (const std::string& name : own.places)
            whole.places.push_back(fmt::format("rank {}, {}", rank, name));
        for (Lane& one : own.lanes) {
            one.place += place;
            whole.lanes.push_back(std::move(one));
        }
        for (Span& span : own.spans) {
            span.lane += lane;
            span.start_ns -= lead.ns;
            span.end_ns -= lead.ns;
            if (span.correlation != 0)
                span.correlation += static_cast<std::int64_t>(rank) * correlations_per_rank;
            whole.spans.push_back(std::move(span));
        }
    }
    std::ranges::stable_sort(whole.spans, {}, &Span::start_ns);
    const std::int64_t first = whole.spans.empty() ? 0 : whole.spans.front().start_ns;
    for (Span& span : whole.spans) {
        span.start_ns -= first;
        span.end_ns -= first;
    }
    return whole;
}

void pass_barriers(Communicator& ranks) {
    for (int i = 0; i < barriers_passed; ++i) {
        const MarkedRange marked(barrier_name);
        ranks.barrier();
    }
}

BarrierTimes take_barriers(Timeline& timeline) {
    BarrierTimes times;
    std::erase_if(timeline.spans, [&](const Span& span) {
        if (span.kind != SpanKind::range || span.name != barrier_name) return false;
        times.passages.push_back({span.start_ns, span.end_ns});
        return true;
    });
    return times;
}

Timeline gathered_timeline(Timeline own, Communicator& ranks) {
    std::vector<BarrierTimes> barriers;
    for (const std::string& text : ranks.all_of(text_of(take_barriers(own))))
        barriers.push_back(times_in(text));
    std::vector<Timeline> timelines;
    for (const std::string& text : ranks.all_of(results::trace_text({std::move(own)})))
        timelines.push_back(std::move(results::timelines_in(text).front()));
    return merged_timeline(std::move(timelines), barriers);
}

namespace {

// Kernel times of the devices of all ranks.
std::vector<double> gathered(std::vector<double> own, Communicator* ranks) {
    if (!ranks) return own;
    std::vector<double> all;
    for (const std::string& of_rank : ranks->all_of(fmt::format("{}", own.front())))
        all.push_back(std::stod(of_rank));
    return all;
}

}  // namespace

void describe_group(results::GroupRecord& group, const timeline::Quantities& quantities,
                    int generations, Communicator* ranks) {
    std::vector<double> kernels;
    std::int64_t exposed = 0;
    std::int64_t waited = 0;
    for (const timeline::PlaceQuantities& place : quantities.places) {
        kernels.push_back(static_cast<double>(place.kernel_ns));
        exposed = std::max(exposed, place.exposed_copy_ns);
        waited = std::max(waited, place.exposed_wait_ns);
    }
    const auto of_generation = [&](std::int64_t ns) {
        const auto own = static_cast<double>(ns) / generations;
        return ranks ? ranks->largest(own) : own;
    };
    group.exposed_transfer_ns = of_generation(exposed);
    const double wait = of_generation(waited);
    if (group.exchange != name(ExchangePath::kernel) &&
        group.exchange != name(ExchangePath::persistent))
        group.barrier_wait_ns = wait;
    kernels = gathered(std::move(kernels), ranks);
    double sum = 0;
    for (const double ns : kernels) sum += ns;
    if (sum > 0)
        group.imbalance = std::ranges::max(kernels) * static_cast<double>(kernels.size()) / sum;
}

void note_rows(results::GroupRecord& group, const Execution& execution) {
    const ExchangeContext* const divided = execution.divided();
    if (!divided || (!group.balancing && divided->divisions.empty())) return;
    group.moved_rows = divided->moved_rows;
    group.rows = divided->box_rows;
    group.divisions.clear();
    for (const RowDivision& division : divided->divisions)
        group.divisions.push_back({division.generation, division.rows, division.moved_rows});
    if (!group.balancing) return;
    for (const PlaceFields& place : divided->places) group.rows.push_back(place.own.count());
}

}  // namespace camber
