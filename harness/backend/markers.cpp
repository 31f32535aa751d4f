#include "harness/backend/markers.hpp"

#include <algorithm>
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

MarkedRange::MarkedRange(const std::string& name, std::int64_t payload) {
    const nvtx3::event_attributes attributes{registered(name), nvtx3::payload{payload}};
    nvtxDomainRangePushEx(nvtx3::domain::get<CamberDomain>(), attributes.get());
}

MarkedRange::~MarkedRange() {
    nvtxDomainRangePop(nvtx3::domain::get<CamberDomain>());
}

#else

MarkedRange::MarkedRange(const std::string&, std::int64_t) {}
MarkedRange::~MarkedRange() = default;

#endif

}  // namespace camber
