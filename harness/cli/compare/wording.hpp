// Wording of comparisons: verdicts, intervals, notes, and the result of a candidate against other
// variants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Wording on the pages of `camber compare`.

// "SLOWER" and so on, or "-" without a time.
std::string_view verdict_of(const comparison::CaseComparison& one);

// "equal", "2 worse, 1 better", or "-" if nothing was compared; the standing if it is not
// `compared`.
std::string quantities_of(const comparison::CaseComparison& one);

// "0.995 ... 1.004".
std::string interval_of(const comparison::TimeComparison& time);

// True if the case differs in anything from the other file.
bool is_finding(const comparison::CaseComparison& one);

// Reasons and changes of one case, one per line.
std::vector<std::string> details_of(const comparison::CaseComparison& one);

// Suggestion of a better measurement, or "".
std::string advice_of(const comparison::TimeComparison& time);

// "REASON: ADVICE", or one of them, or "".
std::string reason_of(const comparison::TimeComparison& time);

// Facts that the files do not contain, one sentence each.
std::vector<std::string> notes_on(const comparison::Comparison& comparison);

// Comparison of a candidate's time with those of other variants.

// One line for each candidate and each variant in the document that is not a candidate:
// "life/a.cu/32x8 against life/halo/32x8/align128: FASTER, 0.913 of its time (0.905 ... 0.921)". ""
// if there are no times.
std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates);

// Comparison of a case with an earlier measurement: "FASTER, 0.913 of its time (0.905 ... 0.921)";
// "" if one has no times.
std::string verdict_between(const results::CaseRecord& before, const results::CaseRecord& now);

// Returns those of `variants`, in their order, whose times are not significantly longer than that
// of `best`.
std::vector<std::string> not_slower(const results::Document& document, const std::string& best,
                                    const std::vector<std::string>& variants);

}  // namespace camber
