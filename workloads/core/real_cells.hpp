// Calls that depend on a floating-point element type known at run time only.
#pragma once

#include "harness/base/state.hpp"

namespace camber {

// Calls f with a zero of the type: double for float64, else float.
template <class F>
auto with_real_type(ElementType type, const F& f) {
    return type == ElementType::float64 ? f(double{}) : f(float{});
}

// Calls f with the field's cells as a span of its type.
template <class Field, class F>
auto with_real_cells(Field& field, const F& f) {
    return with_real_type(field.element(),
                          [&]<class R>(R) { return f(field.template cells<R>()); });
}

}  // namespace camber
