// How the pages of `camber compare` put a comparison into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/comparison.hpp"

namespace camber {

// "SLOWER"..., or "-" where there is no time.
std::string_view verdict_of(const compare::CaseComparison& one);

// "equal", "2 worse, 1 better", or "-" where nothing was compared; the standing where it is another
// than compared.
std::string quantities_of(const compare::CaseComparison& one);

// "0.995 ... 1.004".
std::string interval_of(const compare::TimeComparison& time);

// Whether there is more to say of the case than that it is the same.
bool is_finding(const compare::CaseComparison& one);

// Reasons and changes of one case, one per line.
std::vector<std::string> details_of(const compare::CaseComparison& one);

// What to measure instead, or "".
std::string advice_of(const compare::TimeComparison& time);

// "REASON: ADVICE", or one of them, or "".
std::string reason_of(const compare::TimeComparison& time);

// What the files could not tell, one sentence each.
std::vector<std::string> notes_on(const compare::Comparison& comparison);

}  // namespace camber
