// Runs of lava that are small enough for a test.
#pragma once

#include "harness/record/fields.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

inline constexpr Size flow_board{48, 40};

inline InitialConditions flow_start(ElementType cell) {
    return {.size = flow_board, .cell = cell, .seed = 5, .density = 0};
}

// JSON record of a verification in a results file.
inline results::Json json_of(const Verification& verification) {
    results::CaseRecord record;
    record.verification = verification;
    return results::to_json(record)["camber"]["verification"];
}

}  // namespace camber
