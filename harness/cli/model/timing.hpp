// Predicted times in `camber model`, the machine code of candidates that they need, and their
// comparison with measured times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/time/ranking.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/measure/study.hpp"
#include "harness/own/source/source.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The machine code of candidates' kernels for a GPU, which need not be here.

// What `cuobjdump -res-usage` says of the kernel of this mangled name: registers and local memory.
struct ResourceUsage {
    int registers = 0;
    int local_bytes = 0;
};
std::optional<ResourceUsage> parse_usage(std::string_view listing, std::string_view symbol);

// The kernels of the variant that was made of a file, in the order of its prediction, as compiled
// for the architecture that was predicted; or why they are not known: a phrase. Throws Stopped
// where work is to end.
std::variant<std::vector<results::Kernel>, std::string> candidate_code(
    const CandidateSource& source, const Prediction& prediction);

// Predicted times in `camber model`.

// Sets the model's time, or why it has none. `candidates`: the kernels' files among the variants,
// whose machine code a compiler makes now.
void set_time(ModelledVariant& model, const TimePredictor& times,
              const std::vector<CandidatePoint>& candidates);

// Which of two is predicted to be faster, and why. Throws Error(usage) where one has no time.
std::string reason_between(const ModelledVariant& a, const ModelledVariant& b);

// Predicted times beside measured ones: `camber model --measured`.

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
