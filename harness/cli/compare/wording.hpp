// Wording of comparisons: verdicts, intervals, notes, and the result of a candidate against other
// variants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/document.hpp"

namespace camber {

// How the pages of `camber compare` put a comparison into words.

// "SLOWER"..., or "-" where there is no time.
std::string_view verdict_of(const comparison::CaseComparison& one);

// "equal", "2 worse, 1 better", or "-" where nothing was compared; the standing where it is another
// than compared.
std::string quantities_of(const comparison::CaseComparison& one);

// "0.995 ... 1.004".
std::string interval_of(const comparison::TimeComparison& time);

// Whether there is more to say of the case than that it is the same.
bool is_finding(const comparison::CaseComparison& one);

// Reasons and changes of one case, one per line.
std::vector<std::string> details_of(const comparison::CaseComparison& one);

// What to measure instead, or "".
std::string advice_of(const comparison::TimeComparison& time);

// "REASON: ADVICE", or one of them, or "".
std::string reason_of(const comparison::TimeComparison& time);

// What the files could not tell, one sentence each.
std::vector<std::string> notes_on(const comparison::Comparison& comparison);

// How a candidate's time stands to those of other variants.

// A line for each variant in the document but the candidates themselves, and each candidate:
// "life/a.cu/32x8 against life/halo/32x8/align128: FASTER, 0.913 of its time (0.905 ... 0.921)".
// "" where there are no times.
std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates);

// "FASTER, 0.913 of its time (0.905 ... 0.921)", of a case against an earlier one; "" where one has
// no times.
std::string verdict_between(const results::CaseRecord& before, const results::CaseRecord& now);

// Those of the variants, in their order, whose times are not shown to be longer than that of
// `best`.
std::vector<std::string> not_slower(const results::Document& document, const std::string& best,
                                    const std::vector<std::string>& variants);

}  // namespace camber
