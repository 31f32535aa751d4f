#include "harness/machine/queue/span_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
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
    // Longer spans first, as they may contain shorter ones that start at the same time.
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

#if __has_include(<nvtx3/nvtx3.hpp>)
    #include <nvtx3/nvtx3.hpp>
    #define CAMBER_HAS_NVTX 1
#else
    #define CAMBER_HAS_NVTX 0
#endif

namespace camber {

std::string marker_name(const std::string& variant) {
    std::string name = variant;
    std::ranges::replace(name, '/', '.');
    return name;
}

namespace {

// Global, because ranges have no reference to a log: as in NVTX, they report to the current
// listener.
std::atomic<SpanLog*>& listener() {
    static std::atomic<SpanLog*> instance = nullptr;
    return instance;
}

// Copies the name only if there is a listener, to keep the time between launches short.
SpanTimer span_of(const std::string& name) {
    SpanLog* const log = listener();
    if (!log) return {};
    return {log, log->host_lane(), SpanKind::range, name};
}

}  // namespace

MarkedRangesIn::MarkedRangesIn(SpanLog& log) {
    listener() = &log;
}

MarkedRangesIn::~MarkedRangesIn() {
    listener() = nullptr;
}

#if CAMBER_HAS_NVTX

namespace {

struct CamberDomain {
    static constexpr const char* name = "camber";
};

// Registers a name with the profiler once and uses its handle afterwards.
const nvtx3::registered_string_in<CamberDomain>& registered(const std::string& name) {
    static std::map<std::string, nvtx3::registered_string_in<CamberDomain>> names;
    return names.try_emplace(name, name).first->second;
}

}  // namespace

MarkedRange::MarkedRange(const std::string& name, std::int64_t payload) : span_(span_of(name)) {
    const nvtx3::event_attributes attributes{registered(name), nvtx3::payload{payload}};
    nvtxDomainRangePushEx(nvtx3::domain::get<CamberDomain>(), attributes.get());
}

MarkedRange::~MarkedRange() {
    nvtxDomainRangePop(nvtx3::domain::get<CamberDomain>());
}

#else

MarkedRange::MarkedRange(const std::string& name, std::int64_t) : span_(span_of(name)) {}
MarkedRange::~MarkedRange() = default;

#endif

}  // namespace camber
