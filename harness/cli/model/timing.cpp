#include "harness/cli/model/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "analysis/time/reason.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/candidate_code.hpp"

namespace camber {

namespace {

using Code = std::variant<std::vector<results::Kernel>, std::string>;

// Of a variant that a kernel's file was made into.
std::optional<Code> made_now(const Prediction& prediction,
                             const std::vector<CandidatePoint>& candidates) {
    const auto point =
        std::ranges::find(candidates, prediction.variant->file, &CandidatePoint::origin);
    if (point == candidates.end() || kind_of(point->file) != FileKind::kernel) return std::nullopt;
    return candidate_code(read_candidate(point->file, point->settings), prediction);
}

}  // namespace

void set_time(ModelledVariant& model, const TimePredictor& times,
              const std::vector<CandidatePoint>& candidates) {
    const std::optional<Code> code = made_now(model.prediction, candidates);
    const auto* kernels = code ? std::get_if<std::vector<results::Kernel>>(&*code) : nullptr;
    auto time = kernels ? times.time(model.prediction, *kernels) : times.time(model.prediction);
    if (auto* predicted = std::get_if<PredictedTime>(&time); predicted && code && !kernels)
        predicted->doubts.push_back(std::get<std::string>(*code));
    if (auto* reason = std::get_if<std::string>(&time))
        model.no_time = std::move(*reason);
    else
        model.time = std::get<PredictedTime>(std::move(time));
}

std::string reason_between(const ModelledVariant& a, const ModelledVariant& b) {
    const auto named = [](const ModelledVariant& model) -> NamedTime {
        const VariantInfo& info = model.prediction.variant->info;
        if (!model.time)
            throw Error(ExitCode::usage,
                        fmt::format("{} has no predicted time: {}", info.name(), model.no_time));
        return {info.name(), *model.time, info.shape.generations};
    };
    return reason(named(a), named(b));
}

}  // namespace camber
