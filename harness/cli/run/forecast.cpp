#include "harness/cli/run/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/cli/common/progress.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

constexpr Size enough{170, 130};      // the default of the backend
constexpr Size trial_board{256, 64};  // a few milliseconds

// Seconds per cell and generation; nothing where the variant cannot run the trial.
std::optional<double> trial(const Study& study, const Variant& variant) {
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    problem.size = conditions.size = {std::min(problem.size.columns, trial_board.columns),
                                      std::min(problem.size.rows, trial_board.rows)};
    const int generations = variant.info.shape.generations;
    simt::HostQueue queue(study.cpu_threads);
    if (reason_to_skip(variant, problem, generations, queue.limits(), Backend::simt))
        return std::nullopt;
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(study.workload->initial(conditions));
    queue.synchronize();
    const auto start = std::chrono::steady_clock::now();
    execution->advance(generations);
    queue.synchronize();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / static_cast<double>(problem.size.cells()) / generations;
}

}  // namespace

std::optional<double> simt_seconds(const Study& study) {
    if (study.backend != Backend::simt || study.initial.input || parameter_start(*study.workload) ||
        study.problem.size.cells() <= trial_board.cells())
        return std::nullopt;
    for (const Variant* variant : study.variants)
        if (const auto per_cell = trial(study, *variant))
            return *per_cell * static_cast<double>(study.problem.size.cells()) * study.generations *
                   static_cast<double>(cases_of(study).size());
    return std::nullopt;
}

std::string simt_forecast(const Study& study, bool fallback) {
    const auto seconds = simt_seconds(study);
    if (!seconds || *seconds <= worth_saying) return "";
    return fmt::format(
        "{}this takes about {}: {} case{} of {}x{} cells and {} generation{}, thread by thread on "
        "this CPU; {}",
        fallback ? "no GPU can be used here, and " : "", rough_duration(*seconds),
        cases_of(study).size(), cases_of(study).size() == 1 ? "" : "s", study.problem.size.columns,
        study.problem.size.rows, study.generations, study.generations == 1 ? "" : "s",
        study.problem.size.cells() > enough.cells()
            ? fmt::format("{}x{} cells are enough to verify kernels", enough.columns, enough.rows)
            : "--variant chooses some of them");
}

}  // namespace camber
