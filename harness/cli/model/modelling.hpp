// Memory models of a study's variants: the estimate of their cost, their computation, and the entry
// point of `camber model` for other commands.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/architecture.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Estimated duration of a model.

// Estimated seconds to model the study's variants, derived from the first variant on a small board.
// 0 if the study's own board is small.
double model_seconds(const Study& study, const Architecture& architecture);

// Sentence with the estimate if it exceeds ten seconds; "" otherwise.
std::string model_forecast(const Study& study, const Architecture& architecture);

// Models of a study's variants.

// A variant that cannot be modeled, with the reason.
struct Skipped {
    const Variant* variant;
    std::string reason;  // "needs 12 KB of constant memory, ..."

    std::string sentence() const { return fmt::format("{}: it {}", variant->info.name(), reason); }
};

// Removes the variants that cannot be modeled from the study. Throws Error(usage) if none is left.
std::vector<Skipped> skip_impossible(Study& study);

// Models all variants in order. If the process is to end, returns the models so far, or throws
// Stopped if there are none. `candidates`: the user's files among the variants.
std::vector<ModelledVariant> model_all(const Study& study, const Architecture& architecture,
                                       const std::optional<ModelDevice>& device,
                                       const std::optional<TimePredictor>& times,
                                       const std::vector<CandidatePoint>& candidates);

// A request of the most wasteful call site; nullopt if no site wastes bytes.
std::optional<CapturedRequest> worst_request(const Study& study, const Prediction& prediction);

// Entry point of `camber model` for commands that also predict.

// Predicts the transactions of the variants, on a 2048x2048 board if no size is given, prints a
// table, or one variant by call site, and returns the exit code. Throws the same errors as the
// command.
int run_model(const RunOptions& run, const CommandLine& command_line);

}  // namespace camber
