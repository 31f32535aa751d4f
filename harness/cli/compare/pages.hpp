// Output of `camber compare` in all formats that it offers.
#pragma once

#include <string>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/self_test.hpp"

namespace camber {

// For a terminal: the cases, worst first, the changed quantities, notes, and the summary last.
std::string comparison_table(const comparison::Comparison& comparison);

// For a comment on a pull request: the summary, the findings, and all cases folded.
std::string comparison_markdown(const comparison::Comparison& comparison);

// JUnit's XML: a test case per case and family of quantities, and one for its time; regressions are
// failures, UNDECIDED is skipped.
std::string comparison_junit(const comparison::Comparison& comparison);

// See results/schema/camber-comparison.schema.json.
std::string comparison_json(const comparison::Comparison& comparison);

std::string self_test_table(const comparison::SelfTest& test);
// See results/schema/camber-self-test.schema.json.
std::string self_test_json(const comparison::SelfTest& test);

// What both files predict of times, for a terminal and for a comment, with at most so many rows; ""
// where one predicts none.
std::string predicted_table(const comparison::PredictedTimes& times);
std::string predicted_markdown(const comparison::PredictedTimes& times, std::size_t most);

// Text as XML content or attribute: the five entities, and U+FFFD for what XML 1.0 cannot hold.
std::string xml_escaped(const std::string& text);

// Text as a cell of a Markdown table.
std::string markdown_escaped(const std::string& text);

}  // namespace camber
