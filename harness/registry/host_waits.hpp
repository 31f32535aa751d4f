// Variants whose host waits for the device while they run. Their work cannot be recorded and
// replayed, as CUDA graphs are.
#pragma once

#include <algorithm>
#include <string_view>

#include "harness/registry/registry.hpp"

namespace camber {

// The parameter that says how often in a generation; absent: never.
inline constexpr std::string_view host_waits_parameter = "host_waits";

inline void set_host_waits(VariantInfo& info, int per_generation) {
    info.parameters.push_back({std::string(host_waits_parameter), per_generation});
}

inline bool waits_for_host(const VariantInfo& info) {
    return std::ranges::any_of(info.parameters, [](const Parameter& parameter) {
        return parameter.name == host_waits_parameter;
    });
}

}  // namespace camber
