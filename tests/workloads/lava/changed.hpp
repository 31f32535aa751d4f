// Parameter sets with single values changed.
#pragma once

#include <utility>
#include <vector>

#include "harness/base/parameters.hpp"

namespace camber::lava {

inline ParameterSet changed(ParameterSet set,
                            const std::vector<std::pair<const char*, double>>& values) {
    for (const auto& [name, value] : values) set.set(name, {value});
    return set;
}

}  // namespace camber::lava
