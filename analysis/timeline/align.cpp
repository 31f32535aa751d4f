#include "analysis/timeline/align.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "harness/base/statistics.hpp"

namespace camber::timeline {

namespace {

std::vector<std::int64_t> barrier_ends(const Timeline& timeline) {
    std::vector<std::int64_t> ends;
    for (const Span& span : timeline.spans)
        if (span.kind == SpanKind::barrier) ends.push_back(span.end_ns);
    std::ranges::sort(ends);
    return ends;
}

}  // namespace

Timeline aligned(const std::vector<Timeline>& ranks) {
    if (ranks.empty()) throw std::invalid_argument("there is no timeline to align");
    Timeline whole;
    whole.name = ranks.front().name;
    const std::vector<std::int64_t> reference = barrier_ends(ranks.front());
    double residual = 0;
    double own_residual = 0;
    std::int64_t correlations = 0;
    for (const Timeline& rank : ranks) {
        const std::vector<std::int64_t> ends = barrier_ends(rank);
        if (ends.empty() || ends.size() != reference.size())
            throw std::invalid_argument("ranks cannot be aligned by different numbers of barriers");
        std::vector<double> distances;
        for (std::size_t k = 0; k < ends.size(); ++k)
            distances.push_back(static_cast<double>(reference[k] - ends[k]));
        const double shift = std::round(median(distances));
        for (const double distance : distances)
            residual = std::max(residual, std::abs(distance - shift));
        own_residual = std::max(own_residual, rank.residual_ns.value_or(0));
        const auto first_place = static_cast<int>(whole.places.size());
        const auto first_lane = static_cast<int>(whole.lanes.size());
        whole.places.insert(whole.places.end(), rank.places.begin(), rank.places.end());
        for (Lane lane : rank.lanes) {
            lane.place += first_place;
            whole.lanes.push_back(std::move(lane));
        }
        std::int64_t most = 0;
        for (Span span : rank.spans) {
            span.lane += first_lane;
            span.start_ns += static_cast<std::int64_t>(shift);
            span.end_ns += static_cast<std::int64_t>(shift);
            most = std::max(most, span.correlation);
            if (span.correlation != 0) span.correlation += correlations;
            whole.spans.push_back(std::move(span));
        }
        correlations += most;
    }
    std::ranges::stable_sort(whole.spans, {}, &Span::start_ns);
    const std::int64_t first = whole.spans.front().start_ns;
    for (Span& span : whole.spans) {
        span.start_ns -= first;
        span.end_ns -= first;
    }
    whole.residual_ns = residual + own_residual;
    return whole;
}

}  // namespace camber::timeline
