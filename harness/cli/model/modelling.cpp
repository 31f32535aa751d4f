#include "harness/cli/model/modelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/prediction_record.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

constexpr Size trial_board{512, 128};  // large enough that predictions are extrapolated

}  // namespace

double model_seconds(const Study& study, const Architecture& architecture) {
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    if (conditions.input || problem.size.cells() <= trial_board.cells()) return 0;
    problem.size = conditions.size = {std::min(problem.size.columns, trial_board.columns),
                                      std::min(problem.size.rows, trial_board.rows)};
    const Variant& variant = *study.variants.front();
    if (reason_not_to_model(variant, problem)) return 0;
    const InitialData initial{study.workload, conditions, nullptr};
    const auto start = std::chrono::steady_clock::now();
    const Method method = predict(variant, problem, initial, architecture).method;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const std::int64_t simulated =
        method == Method::extrapolated
            ? problem.size.cells()
            : std::min(study.problem.size.cells(), PredictionLimits().simulated_cells);
    return taken.count() * static_cast<double>(simulated) /
           static_cast<double>(problem.size.cells()) * static_cast<double>(study.variants.size());
}

std::string model_forecast(const Study& study, const Architecture& architecture) {
    const double seconds = model_seconds(study, architecture);
    if (seconds <= worth_saying) return "";
    return fmt::format(
        "this takes about {}: {} variant{} of {} on {}x{} cells, thread by thread "
        "on this CPU",
        rough_duration(seconds), study.variants.size(), study.variants.size() == 1 ? "" : "s",
        study.workload->name(), study.problem.size.columns, study.problem.size.rows);
}

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
    Predictions predictions([&](const Variant& variant) {
        return predict(variant, study.problem, initial, architecture);
    });
    try {
        predictions.begin(study.variants, thread_count(study.cpu_threads));
        for (const Variant* variant : study.variants) {
            progress.show(static_cast<int>(models.size()), static_cast<int>(study.variants.size()),
                          variant->info.name());
            ModelledVariant model;
            model.prediction = predictions.of(*variant);
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
        problem.size = *prediction.small_board;
        // An input may not fit the board, and counts do not depend on the data.
        conditions = study.workload->generated(conditions, problem.size);
    }
    const SiteRow& worst = rows.front();
    return typical_request(*prediction.variant, problem,
                           start_of(*study.workload, conditions, problem.parameters), worst.kernel,
                           prediction.sites.at(static_cast<std::size_t>(worst.site)).key,
                           worst.operation, prediction.architecture.rules);
}

}  // namespace camber
