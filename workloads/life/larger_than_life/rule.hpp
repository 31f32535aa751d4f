// Rule of Larger than Life, in which a cell lives or dies depending on the number of live cells in
// a square around it (Evans 1996; 2001), and its text form "R5,C0,M1,S34..58,B34..45,NM".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workloads/core/rule.hpp"

namespace camber {

// Maximum radius. The square around a cell has a side of 2 * radius + 1.
inline constexpr int largest_radius = 16;

// Range of counts, from `least` to `most`; empty if `most` is smaller.
struct Interval {
    int least = 0;
    int most = -1;
    friend bool operator==(const Interval&, const Interval&) = default;
};

// Rule on byte cells. As in Evans 1996, the cell itself counts among the cells of its square:
// Conway's B3/S23 has births from 3 to 3 and survivals from 3 to 4 at radius 1.
struct LargerThanLife {
    using Cell = std::uint8_t;

    // All boards have the halo of the largest radius, because the halo is a property of the variant
    // and the radius a property of the problem.
    struct Current : Input<Cell, largest_radius> {
        static constexpr const char* field = "cells";
        CAMBER_HD static constexpr Cell outside() { return 0; }
    };
    struct Next : Output<Cell> {
        static constexpr const char* field = "cells";
    };
    using Inputs = InputList<Current>;
    using Outputs = OutputList<Next>;
    static constexpr bool symmetric = true;
    struct Parameters {
        int radius = 1;
        Interval birth;
        Interval survival;
        friend bool operator==(const Parameters&, const Parameters&) = default;
    };
    // Parameters of the rule in the ParameterSet.
    static Parameters parameters(const ParameterSet& set);

    // New value of a cell with `living` live cells in its square.
    CAMBER_HD static Cell next_of(int living, int self, const Parameters& parameters) {
        const Interval interval = self != 0 ? parameters.survival : parameters.birth;
        return static_cast<Cell>((living >= interval.least) & (living <= interval.most));
    }

    template <class At>
    CAMBER_HD static Cell next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        int living = 0;
        for (int drow = -radius; drow <= radius; ++drow)
            for (int dcol = -radius; dcol <= radius; ++dcol) living += at(dcol, drow);
        return next_of(living, at(0, 0), parameters);
    }
};

// Text form of rules.

// Rule that Evans calls Bosco's.
inline constexpr std::string_view bosco_rule = "R5,C0,M1,S34..58,B34..45,NM";

// Parses a rule as Golly and MCell write it; its parts may have any order. M states whether the
// cell itself counts (M1) or not (M0, the default); C, the number of states, is at most 2; N, the
// neighborhood, is the square (NM). Throws Error(usage), whose message calls the text `what`.
LargerThanLife::Parameters larger_than_life_rule(std::string_view text, std::string_view what);

// Canonical spelling of a rule: as Golly writes it, with M1.
std::string rule_text(const LargerThanLife::Parameters& parameters);

}  // namespace camber
