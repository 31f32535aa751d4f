#include "harness/cli/model/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/cli/common/progress.hpp"
#include "harness/predict/prediction.hpp"

namespace camber {

namespace {

constexpr Size trial_board{512, 128};  // large enough that boards need not be simulated whole

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

}  // namespace camber
