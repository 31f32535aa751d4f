// Output of `camber compare` for compiled code, in all of its formats.
#pragma once

#include <string>

#include "analysis/compare/code_comparison.hpp"

namespace camber {

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
