// Conway's Game of Life: the rule.
#pragma once

#include <cstdint>

#include "workloads/rule.hpp"

namespace camber {

// B3/S23 (Conway; Gardner 1970). Cells are 0 or 1; the sum of the eight neighbours decides. `|` and
// `&` instead of `||` and `&&` keep the load of the centre cell unconditional (Balasalle 2011,
// section 5.2).
template <class T>
struct Life {
    using Cell = T;

    struct Current : Input<Cell, 1> {
        static constexpr const char* field = "cells";
        CAMBER_HD static constexpr Cell outside() { return 0; }
    };
    struct Next : Output<Cell> {
        static constexpr const char* field = "cells";
    };
    using Inputs = InputList<Current>;
    using Outputs = OutputList<Next>;
    struct Parameters {};

    template <class At>
    CAMBER_HD static Cell next(const At& at, const Parameters&) {
        const unsigned neighbours = at(-1, -1) + at(0, -1) + at(1, -1) +  //
                                    at(-1, 0) + at(1, 0) +                //
                                    at(-1, 1) + at(0, 1) + at(1, 1);
        const unsigned self = at(0, 0);
        return static_cast<Cell>((neighbours == 3) | ((neighbours == 2) & self));
    }
};

}  // namespace camber
