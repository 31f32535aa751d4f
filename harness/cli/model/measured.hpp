// Predicted times beside measured ones: `camber model --measured`.
#pragma once

#include <string>
#include <vector>

#include "analysis/time/accuracy.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Makes the options those of the board that the file's cases were measured on. Throws Error(usage)
// where they were measured on several, or none was.
void take_board_of(const results::Document& measured, RunOptions& options);

// How the cases were submitted that predictions stand beside.
Submission submission_of(const results::Document& measured);

// Leaves the variants that were measured. Throws Error(usage) where none was.
void keep_measured(Study& study, const results::Document& measured);

// The variants that have both times, per generation in seconds. Throws Error(usage) where fewer
// than two have.
std::vector<TimedPrediction> beside_measured(const std::vector<ModelledVariant>& models,
                                             const results::Document& measured);

// A line per variant, the fastest first; residuals by technique; and how well they agree.
std::string measured_page(std::vector<TimedPrediction> predictions);

}  // namespace camber
