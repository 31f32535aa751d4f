#include "harness/machine/queue/span_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace camber {

SpanLog::SpanLog(Clock clock) : clock_(std::move(clock)) {}

std::int64_t SpanLog::steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void SpanLog::name_place(int place, std::string name) {
    const std::lock_guard lock(mutex_);
    while (static_cast<int>(timeline_.places.size()) <= place)
        timeline_.places.push_back(fmt::format("place {}", timeline_.places.size()));
    timeline_.places[static_cast<std::size_t>(place)] = std::move(name);
}

int SpanLog::lane(int place, const std::string& name, bool host, NativeStream stream) {
    const std::lock_guard lock(mutex_);
    while (static_cast<int>(timeline_.places.size()) <= place)
        timeline_.places.push_back(fmt::format("place {}", timeline_.places.size()));
    const auto known = std::ranges::find_if(timeline_.lanes, [&](const Lane& lane) {
        return lane.place == place && lane.name == name && lane.host == host;
    });
    const auto found = static_cast<int>(known - timeline_.lanes.begin());
    if (known == timeline_.lanes.end()) timeline_.lanes.push_back({place, name, host});
    if (stream.handle) streams_.push_back({stream, found, place});
    return found;
}

std::vector<SpanLog::KnownStream> SpanLog::streams() const {
    const std::lock_guard lock(mutex_);
    return streams_;
}

int SpanLog::places() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(timeline_.places.size());
}

void SpanLog::add(Span span) {
    const std::lock_guard lock(mutex_);
    timeline_.spans.push_back(std::move(span));
}

Timeline SpanLog::take(std::int64_t since) {
    const std::lock_guard lock(mutex_);
    streams_.clear();
    Timeline taken = std::exchange(timeline_, {});
    std::erase_if(taken.spans, [&](const Span& span) { return span.start_ns < since; });
    // A longer span first, for it may hold the other.
    std::ranges::stable_sort(taken.spans, [](const Span& a, const Span& b) {
        return std::pair(a.start_ns, -a.end_ns) < std::pair(b.start_ns, -b.end_ns);
    });
    const std::int64_t first = taken.spans.empty() ? 0 : taken.spans.front().start_ns;
    for (Span& span : taken.spans) {
        span.start_ns -= first;
        span.end_ns -= first;
    }
    return taken;
}

SpanTimer::SpanTimer(SpanLog* log, int lane, SpanKind kind, std::string name, std::int64_t bytes)
    : log_(log) {
    if (!log_) return;
    span_.kind = kind;
    span_.lane = lane;
    span_.name = std::move(name);
    span_.bytes = bytes;
    span_.start_ns = log_->now();
}

SpanTimer::~SpanTimer() {
    if (!log_) return;
    span_.end_ns = log_->now();
    log_->add(std::move(span_));
}

}  // namespace camber
