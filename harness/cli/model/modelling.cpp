#include "harness/cli/model/modelling.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/model/forecast.hpp"
#include "harness/predict/model_record.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

std::vector<Skipped> skip_impossible(Study& study) {
    std::vector<Skipped> skipped;
    std::erase_if(study.variants, [&](const Variant* variant) {
        auto reason = reason_not_to_model(*variant, study.problem);
        if (reason) skipped.push_back({variant, std::move(*reason)});
        return reason.has_value();
    });
    if (study.variants.empty()) {
        std::vector<std::string> sentences;
        for (const Skipped& one : skipped) sentences.push_back(one.sentence());
        throw Error(ExitCode::usage,
                    fmt::format("no variant can be modelled: {}", fmt::join(sentences, "; ")));
    }
    return skipped;
}

std::vector<ModelledVariant> model_all(const Study& study, const Architecture& architecture,
                                       const std::optional<ModelDevice>& device,
                                       const std::optional<TimePredictor>& times,
                                       const std::vector<CandidatePoint>& candidates) {
    std::vector<ModelledVariant> models;
    if (isatty(STDERR_FILENO) != 0) say_cost(model_forecast(study, architecture));
    Progress progress;
    const InitialData initial{study.workload, study.initial, nullptr};
    try {
        for (const Variant* variant : study.variants) {
            progress.show(static_cast<int>(models.size()), static_cast<int>(study.variants.size()),
                          variant->info.name());
            ModelledVariant model;
            model.prediction = predict(*variant, study.problem, initial, architecture);
            model.bytes_needed = bytes_needed(model.prediction, *study.workload);
            if (device) model.bounds = bounds_of(model.prediction, device->limits);
            if (times) set_time(model, *times, candidates);
            models.push_back(std::move(model));
        }
    } catch (const Stopped&) {
        if (models.empty()) throw;
    }
    return models;
}

std::optional<CapturedRequest> worst_request(const Study& study, const Prediction& prediction) {
    const auto rows = site_rows(prediction);
    if (rows.empty() || rows.front().bytes_wasted() == 0) return std::nullopt;
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    if (prediction.small_board) {
        problem.size = conditions.size = *prediction.small_board;
        conditions.input.reset();  // may not fit, and counts do not depend on the data
        conditions.input_at.reset();
        conditions.tiles = {1, 1};
    }
    const SiteRow& worst = rows.front();
    return typical_request(*prediction.variant, problem,
                           start_of(*study.workload, conditions, problem.parameters), worst.kernel,
                           prediction.sites.at(static_cast<std::size_t>(worst.site)).key,
                           worst.operation, prediction.architecture.rules);
}

}  // namespace camber
