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

// What a model will cost, told before it begins.

// Seconds that the study's variants will take to model, from the first of them on a small board. 0
// where the board is small itself.
double model_seconds(const Study& study, const Architecture& architecture);

// The sentence that says so where it is more than ten seconds; "" otherwise.
std::string model_forecast(const Study& study, const Architecture& architecture);

// The models of a study's variants, one after another.

// A variant that cannot be modelled.
struct Skipped {
    const Variant* variant;
    std::string reason;  // "needs 12 KB of constant memory, ..."

    std::string sentence() const { return fmt::format("{}: it {}", variant->info.name(), reason); }
};

// Takes the variants that cannot be modelled out of the study. Throws Error(usage) where none is
// left.
std::vector<Skipped> skip_impossible(Study& study);

// Those that were modelled before work was to end. Throws Stopped where there are none.
// `candidates`: the users' files among the variants.
std::vector<ModelledVariant> model_all(const Study& study, const Architecture& architecture,
                                       const std::optional<ModelDevice>& device,
                                       const std::optional<TimePredictor>& times,
                                       const std::vector<CandidatePoint>& candidates);

// A request of the place that wastes most; absent where none wastes anything.
std::optional<CapturedRequest> worst_request(const Study& study, const Prediction& prediction);

// `camber model` for commands that predict as well.

// Predicts the variants' transactions, on a board of 2048x2048 where no size is given, and prints a
// table, or one variant line by line; the exit code. Throws as the command does.
int run_model(const RunOptions& run, const CommandLine& command_line);

}  // namespace camber
