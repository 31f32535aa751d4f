// The models of a study's variants, one after another.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/model/page.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/measure/study.hpp"

namespace camber {

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

}  // namespace camber
