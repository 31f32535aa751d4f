// Cumulative emission of a vent by a given time, independent of the lengths of the steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/core/flow.hpp"

namespace camber::lava {

// Emission rates of a vent, one for each time slot, from time 0 on, and none afterwards.
struct RateCurve {
    std::span<const double> rates;  // m^3/s
    double slot_length = 1;         // s
    bool linear = false;            // between the slots' beginnings; else constant in a slot
};

// The curves of a table: the rates of the first vent slot by slot, then those of the second.
std::vector<RateCurve> curves_of(std::span<const double> table, int slots, double slot_length,
                                 bool linear = false);

struct Supply {
    double volume = 0;  // given, m^3
    // By how much the rate has changed, all changes added, m^3/s. Steps that take the rate at their
    // beginning give up to this times the longest step more or less than `volume`.
    double variation = 0;
};

// From 0 to `time`, s.
Supply supply(const RateCurve& curve, double time);

// Not 0 where the thickness is above 0.
std::vector<std::uint8_t> covered(std::span<const double> thickness);

// Adds to what `flow` was supplied with what its vents gave until its time, which it must have.
// `vents`: 0 or the number of the vent, of each cell; `curves`: of a cell of the first vent, of the
// second; `longest_step` in s; `area` of a cell, m^2.
void add_supply(Flow& flow, std::span<const std::uint8_t> vents,
                const std::vector<RateCurve>& curves, double longest_step, double area);

}  // namespace camber::lava
