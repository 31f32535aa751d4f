// Rule of Conway's Game of Life.
#pragma once

#include <cstdint>

#include "workloads/core/rule.hpp"

namespace camber {

// B3/S23 (Conway; Gardner 1970). Cells are 0 or 1; the sum of the eight neighbors decides. `|` and
// `&` instead of `||` and `&&` keep the load of the center cell unconditional (Balasalle 2011,
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

    // Same for four adjacent cells, one byte each: `neighbours` contains a sum, `selves` a cell. A
    // cell lives if (neighbor sum | cell) is three. If it is not, a bit differs from three, and the
    // addition carries into bit 4.
    CAMBER_HD static std::uint32_t next_four(std::uint32_t neighbours, std::uint32_t selves,
                                             const Parameters&) requires(sizeof(Cell) == 1) {
        const std::uint32_t differs = (neighbours | selves) ^ 0x03030303u;
        return ~((differs + 0x0f0f0f0fu) >> 4) & 0x01010101u;
    }

    static constexpr Rules rules = Rules::usual;
    static constexpr bool symmetric = true;
};

}  // namespace camber
