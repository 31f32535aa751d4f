// Larger than Life: the rule. A cell lives or dies by how many of the cells in the square around it
// live, and the square has a side of 2 * radius + 1 (Evans 1996; 2001).
#pragma once

#include <cstdint>

#include "workloads/core/rule.hpp"

namespace camber {

inline constexpr int largest_radius = 16;

// How many may live, from `least` to `most`. None where `most` is the smaller one.
struct Interval {
    int least = 0;
    int most = -1;
    friend bool operator==(const Interval&, const Interval&) = default;
};

// The cell itself counts among the cells of its square, as in Evans 1996. So Conway's B3/S23 is
// births from 3 to 3 and survivals from 3 to 4 at radius 1.
struct LargerThanLife {
    using Cell = std::uint8_t;

    // Every board has the halo of the largest radius: a halo is part of a variant, and the radius
    // is part of the problem.
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
    // Parameters of the set's rule (rule_text.hpp).
    static Parameters parameters(const ParameterSet& set);

    // New cell for `living` live cells in its square.
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

}  // namespace camber
