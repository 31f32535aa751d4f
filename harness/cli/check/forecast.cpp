#include "harness/cli/check/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/cli/common/progress.hpp"
#include "harness/predict/check_variant.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

constexpr Size trial_board{64, 48};  // some hundredths of a second

// Of all cases of the study.
double cells_and_generations(const Study& study) {
    return static_cast<double>(study.variants.size()) *
           static_cast<double>(study.problem.size.cells()) * study.generations;
}

}  // namespace

double check_seconds(const std::vector<Study>& studies) {
    Study trial = studies.front();
    if (trial.initial.input || parameter_start(*trial.workload)) return 0;
    Size& size = trial.problem.size;
    size = trial.initial.size = {std::min(size.columns, trial_board.columns),
                                 std::min(size.rows, trial_board.rows)};
    trial.variants.resize(1);
    trial.generations = trial.variants.front()->info.shape.generations;
    const State initial = trial.workload->initial(trial.initial);
    const auto start = std::chrono::steady_clock::now();
    const CheckResult result =
        check_variant(*trial.variants.front(), trial.problem, initial, trial.generations, 1);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (!result.skipped.empty()) return 0;
    double all = 0;
    for (const Study& study : studies) all += cells_and_generations(study);
    return taken.count() * all / cells_and_generations(trial);
}

std::string check_forecast(const std::vector<Study>& studies) {
    const double seconds = check_seconds(studies);
    if (seconds <= worth_saying) return "";
    std::size_t cases = 0;
    for (const Study& study : studies) cases += study.variants.size();
    return fmt::format("this takes about {}: {} cases of {}, thread by thread on this CPU",
                       rough_duration(seconds), cases, studies.front().workload->name());
}

}  // namespace camber
