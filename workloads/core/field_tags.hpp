// Tags of rules for fields whose names are constants.
#pragma once

#include "workloads/core/rule.hpp"

namespace camber {

// Beyond the edge of a board the field is `beyond`.
template <class T, int Radius, const char* const& name, int beyond = 0>
struct FieldInput : Input<T, Radius> {
    static constexpr const char* field = name;
    CAMBER_HD static constexpr T outside() { return T(beyond); }
};

template <class T, const char* const& name>
struct FieldOutput : Output<T> {
    static constexpr const char* field = name;
};

}  // namespace camber
