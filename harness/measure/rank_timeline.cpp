#include "harness/measure/rank_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "harness/machine/queue/markers.hpp"
#include "harness/record/timeline_file.hpp"

namespace camber {

namespace {

constexpr int barriers_passed = 16;
constexpr const char* barrier_name = "ranks meet";

// Numbers of calls are one rank's own.
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
    // Clocks that drift may leave nothing between; the middle is as good then.
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

}  // namespace camber
