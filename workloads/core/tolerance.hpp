// Allowed difference between a variant and the reference.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/state.hpp"
#include "harness/record/verification.hpp"

namespace camber {

// How a variant computes, as far as its rounding errors depend on it.
struct Computation {
    ElementType cell = ElementType::float64;
    int generations = 1;
    // By a device's mathematical library, which may round otherwise than the reference's.
    bool on_device = false;
    // In another order than the reference.
    bool reordered = false;
    // Numbers have fewer digits than the state; implies `reordered`.
    bool rounded = false;

    bool as_reference() const { return !on_device && !reordered; }
};

// A cell passes where |actual - expected| <= absolute + relative * |expected|; the sum of a field's
// cells where it does not differ by more than `total` of the expected sum. All zero: bit-equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double total = 0;
    // Share of a field's cells, not counting those that are and must be 0, that may be farther off
    // than `absolute` and `relative` allow: those at which a rounding error crosses a threshold.
    double outliers = 0;
    // For single fields, instead of `absolute`.
    std::map<std::string, double, std::less<>> absolute_of = {};
    // If cells differ by more, a flow may still pass as a whole; absent: it may not.
    std::optional<FlowLimits> flow = std::nullopt;
    bool exact() const {
        return absolute == 0 && relative == 0 && total == 0 && absolute_of.empty();
    }
    // Tolerance of one field.
    Tolerance of(std::string_view field) const {
        const auto own = absolute_of.find(field);
        return {.absolute = own == absolute_of.end() ? absolute : own->second,
                .relative = relative,
                .total = total,
                .outliers = outliers};
    }
};

}  // namespace camber
