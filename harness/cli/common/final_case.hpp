// Whose final state a run prints and saves.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/case_runner.hpp"

namespace camber {

// Of the results' benchmarks[] that passed, the first in the study's order; nullptr where none did.
const nlohmann::ordered_json* final_case(const Study& study,
                                         const nlohmann::ordered_json& document);

// The state that `benchmark` ended in: the reference's, or its own where statistics decided that
// it is right. Throws Error(unavailable) where the runner kept that of another case.
const State& final_state_of(const nlohmann::ordered_json& benchmark, const CaseRunner& runner);

// " of sciara_fv2/atomics/8x8" where the final state is the variant's own, else empty.
std::string of_variant(const nlohmann::ordered_json& benchmark);

}  // namespace camber
