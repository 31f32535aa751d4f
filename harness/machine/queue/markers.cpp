#include "harness/machine/queue/markers.hpp"

#include <algorithm>
#include <atomic>
#include <map>

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

// Ranges have no way to it but this one: they go to whoever listens, as NVTX does it.
std::atomic<SpanLog*>& listener() {
    static std::atomic<SpanLog*> instance = nullptr;
    return instance;
}

// The name is copied for a listener only: launches wait for what is between them.
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

// A registered name is handed to the profiler once, and by handle after that.
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
