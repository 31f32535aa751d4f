// Whose final state a run prints and saves.
#pragma once

#include <string>

#include "harness/measure/case_runner.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The first case, in the study's order, that passed; nullptr where none did.
const results::CaseRecord* final_case(const Study& study, const results::Document& document);

// The state that the case ended in: the reference's, or its own where statistics decided that it is
// right. Throws Error(unavailable) where the runner kept that of another case.
const State& final_state_of(const results::CaseRecord& record, const CaseRunner& runner);

// " of sciara_fv2/atomics/8x8" where the final state is the variant's own, else empty.
std::string of_variant(const results::CaseRecord& record);

}  // namespace camber
