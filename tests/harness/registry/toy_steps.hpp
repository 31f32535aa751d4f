// A toy workload of two steps: one computes sums for the other, which writes the cells that the
// first reads. Every neighbor has a different weight, so that a read from a wrong location changes
// the result.
#pragma once

#include <cstdint>

#include "workloads/core/rule.hpp"

namespace camber::toy {

struct Slope : Input<std::uint8_t, 1> {
    static constexpr const char* field = "slope";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint8_t outside() { return 3; }
};
struct Cells : Input<std::uint32_t, 1> {
    static constexpr const char* field = "cells";
    CAMBER_HD static constexpr std::uint32_t outside() { return 11; }
};
struct NewSums : Output<std::uint32_t> {
    static constexpr const char* field = "sums";
};

struct Spread {
    static constexpr const char* step = "spread";
    using Inputs = InputList<Cells, Slope>;
    using Outputs = OutputList<NewSums>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static std::uint32_t next(const At& at, const Parameters&) {
        return at(Cells{}, 0, 0) + 2 * at(Cells{}, -1, 0) + 3 * at(Cells{}, 1, 0) +
               5 * at(Cells{}, 0, -1) + 7 * at(Cells{}, 0, 1) + 11u * at(Slope{}, 1, -1);
    }
};

struct Sums : Input<std::uint32_t, 2> {
    static constexpr const char* field = "sums";
    CAMBER_HD static constexpr std::uint32_t outside() { return 1000; }
};
struct Weight : Input<std::uint32_t, 0> {
    static constexpr const char* field = "weight";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint32_t outside() { return 0; }
};
struct NewCells : Output<std::uint32_t> {
    static constexpr const char* field = "cells";
};

struct Blend {
    static constexpr const char* step = "blend";
    using Inputs = InputList<Sums, Weight>;
    using Outputs = OutputList<NewCells>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static std::uint32_t next(const At& at, const Parameters&) {
        return at(Weight{}, 0, 0) * at(Sums{}, 0, 0) + 13 * at(Sums{}, 2, 0) -
               17 * at(Sums{}, 0, -2);
    }
};

// Replaces Blend: reads no neighbors, and reads the cells that it overwrites.
struct OwnCells : Input<std::uint32_t, 0> {
    static constexpr const char* field = "cells";
    CAMBER_HD static constexpr std::uint32_t outside() { return 11; }
};
struct OwnSums : Input<std::uint32_t, 0> {
    static constexpr const char* field = "sums";
    CAMBER_HD static constexpr std::uint32_t outside() { return 1000; }
};
struct Add {
    static constexpr const char* step = "add";
    using Inputs = InputList<OwnCells, OwnSums>;
    using Outputs = OutputList<NewCells>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static std::uint32_t next(const At& at, const Parameters&) {
        return 3 * at(OwnCells{}, 0, 0) + at(OwnSums{}, 0, 0);
    }
};

// Single step: reads two rows beyond its own, and a field that is never exchanged.
struct WideCells : Input<std::uint32_t, 2> {
    static constexpr const char* field = "cells";
    CAMBER_HD static constexpr std::uint32_t outside() { return 11; }
};
struct Mix {
    using Inputs = InputList<WideCells, Weight>;
    using Outputs = OutputList<NewCells>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static std::uint32_t next(const At& at, const Parameters&) {
        return at(Weight{}, 0, 0) * at(WideCells{}, 0, 0) + 3 * at(WideCells{}, 2, -2) +
               5 * at(WideCells{}, -1, 2) + 7 * at(WideCells{}, 0, -1);
    }
};

}  // namespace camber::toy
