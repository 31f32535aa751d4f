// Output of `camber compare` in all of its formats.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/code_comparison.hpp"
#include "analysis/compare/comparison.hpp"
#include "analysis/compare/self_test.hpp"

namespace camber {

// Text for a terminal: the cases, worst first, the changed quantities, notes, and the summary last.
std::string comparison_table(const comparison::Comparison& comparison);

// Markdown for a pull request comment: the summary, the findings, and a collapsed list of all
// cases.
std::string comparison_markdown(const comparison::Comparison& comparison);

// JUnit XML: one test case per case and family of quantities, and one for the case's time.
// Regressions are failures, UNDECIDED is skipped.
std::string comparison_junit(const comparison::Comparison& comparison);

// See results/schema/camber-comparison.schema.json.
std::string comparison_json(const comparison::Comparison& comparison);

std::string self_test_table(const comparison::SelfTest& test);
// See results/schema/camber-self-test.schema.json.
std::string self_test_json(const comparison::SelfTest& test);

// Predicted times of both files, for a terminal and for a comment with at most `most_rows` rows; ""
// if one file has no predictions.
std::string predicted_table(const comparison::PredictedTimes& times);
std::string predicted_markdown(const comparison::PredictedTimes& times, std::size_t most);

// A <testcase> element of JUnit XML.
struct JunitCase {
    std::string name;
    std::string class_name;
    std::string failure;  // "": none
    std::string skipped;  // "": not
    std::string output;   // "": none
};

// A JUnit document with one suite.
std::string junit_text(const std::vector<JunitCase>& tests, const std::string& suite,
                       const std::string& summary);

// Escapes text as XML content or attribute: the five entities, and U+FFFD for characters that XML
// 1.0 does not permit.
std::string xml_escaped(const std::string& text);

// ---- compiled code, in all formats

// Text for a terminal: changed, missing and added kernels, worst first, and the summary last.
std::string code_comparison_table(const comparison::CodeComparison& comparison);

// Markdown for a pull request comment.
std::string code_comparison_markdown(const comparison::CodeComparison& comparison);

// JUnit XML: one test case per kernel. Regressions are failures; changed machine code, which needs
// a measurement, is skipped.
std::string code_comparison_junit(const comparison::CodeComparison& comparison);

// See results/schema/camber-code-comparison.schema.json.
std::string code_comparison_json(const comparison::CodeComparison& comparison);

}  // namespace camber
