// Bitwise comparison of states.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

// Names of the fields that differ in any bit.
inline std::vector<std::string> differing_fields(const State& a, const State& b) {
    std::vector<std::string> names;
    for (const HostField& field : a.fields) {
        const auto other = b.field(field.name()).bytes();
        if (std::memcmp(field.bytes().data(), other.data(), other.size()) != 0)
            names.emplace_back(field.name());
    }
    return names;
}

}  // namespace camber
