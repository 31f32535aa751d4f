#include "harness/cli/model/timing.hpp"

#include <fmt/format.h>

#include <utility>

#include "analysis/time/reason.hpp"
#include "harness/base/error.hpp"

namespace camber {

void set_time(ModelledVariant& model, const TimePredictor& times) {
    auto time = times.time(model.prediction);
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
