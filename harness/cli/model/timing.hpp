// Predicted times in `camber model`, the machine code of candidates that they need, and their
// comparison with measured times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/time/ranking.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/measure/study.hpp"
#include "harness/own/source/source.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Machine code of candidate kernels for a GPU, which need not be present.

// Output of `cuobjdump -res-usage` for the kernel with this mangled name: registers and local
// memory.
struct ResourceUsage {
    int registers = 0;
    int local_bytes = 0;
};
std::optional<ResourceUsage> parse_usage(std::string_view listing, std::string_view symbol);

// Kernels of the variant that was generated from a file, in the order of its prediction, compiled
// for the predicted architecture; or a phrase that says why they are unavailable. Throws Stopped if
// the process is to end.
std::variant<std::vector<results::Kernel>, std::string> candidate_code(
    const CandidateSource& source, const Prediction& prediction);

// Predicted times in `camber model`.

// Sets the model's time, or the reason why it has none. `candidates`: kernel files among the
// variants, which are compiled now to get their machine code.
void set_time(ModelledVariant& model, const TimePredictor& times,
              const std::vector<CandidatePoint>& candidates);

// States which of two models is predicted to be faster, and why. Throws Error(usage) if one has no
// time.
std::string reason_between(const ModelledVariant& a, const ModelledVariant& b);

// Comparison of predicted with measured times: `camber model --measured`.

// Sets the options to the board of the file's cases. Throws Error(usage) if there are several
// boards, or none.
void take_board_of(const results::Document& measured, RunOptions& options);

// Submission of the cases that predictions are compared with.
Submission submission_of(const results::Document& measured);

// Removes all variants from the study that were not measured. Throws Error(usage) if none is left.
void keep_measured(Study& study, const results::Document& measured);

// Variants that have both times, in seconds per generation. Throws Error(usage) if there are fewer
// than two.
std::vector<TimedPrediction> beside_measured(const std::vector<ModelledVariant>& models,
                                             const results::Document& measured);

// One line per variant, the fastest first; residuals by technique; and the agreement of the times.
std::string measured_page(std::vector<TimedPrediction> predictions);

}  // namespace camber
