// Runs of lava that are small enough for a test.
#pragma once

#include "workloads/workload.hpp"

namespace camber {

inline constexpr Size flow_board{48, 40};

inline InitialConditions flow_start(ElementType cell) {
    return {.size = flow_board, .cell = cell, .seed = 5, .density = 0};
}

}  // namespace camber
