#include "harness/cli/try/pruning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/number_text.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/candidate_code.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/quantities.hpp"

namespace camber {

namespace {

// Bounds rank kernels roughly, but on none of the boards in results/h200 is the fastest variant one
// that has three times the least bound (tests/results/committed_results_test.cpp).
constexpr double hopeless_bound = 3;

bool may_judge(const SweepPoint& point, const std::vector<std::string>& failed) {
    return std::ranges::find(failed, point.name) == failed.end();
}

std::string why_by_bound(const SweepPoint& point, const SweepPoint& best) {
    return fmt::format("needs {} even at the device's limits, {:.1f} times as long as {}",
                       duration(*point.bound_ns), *point.bound_ns / *best.bound_ns, best.name);
}

}  // namespace

std::string model_points(std::vector<SweepPoint>& points, const Study& study,
                         const std::optional<ModelDevice>& device) {
    const Architecture architecture =
        parse_architecture(device ? device->gpu.compute_capability : "sm_90");
    const InitialData initial{study.workload, study.initial, nullptr};
    const DeviceLimits limits = open_queue(study)->limits();
    results::CodeTable code;
    code.arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    std::string why;
    std::vector<Prediction> predictions;
    Progress progress;
    for (std::size_t i = 0; i < points.size(); ++i) {
        check_stop();
        SweepPoint& point = points[i];
        const auto found = std::ranges::find(study.variants, point.name,
                                             [](const Variant* one) { return one->info.name(); });
        if (found == study.variants.end() || reason_not_to_model(**found, study.problem) ||
            reason_to_skip(**found, study.problem, study.generations, limits, study.backend))
            continue;
        progress.show(static_cast<int>(i), static_cast<int>(points.size()),
                      "modelling " + point.from.origin);
        Prediction prediction = predict(**found, study.problem, initial, architecture);
        const double generations = (*found)->info.shape.generations;
        point.moved = static_cast<double>(bytes_moved(prediction)) / generations;
        if (!device) continue;
        if (const auto largest = bounds_of(prediction, device->limits).largest())
            point.bound_ns = largest->seconds * 1e9 / generations;
        auto kernels =
            candidate_code(read_candidate(point.from.file, point.from.settings), prediction);
        if (auto* known = std::get_if<std::vector<results::Kernel>>(&kernels))
            code.add(point.name, std::string(info(study.problem.cell).name), study.problem.boundary,
                     std::move(*known));
        else if (why.empty())
            why = std::get<std::string>(kernels);
        predictions.push_back(std::move(prediction));
    }
    if (!device) return "no device's limits are known";
    const TimePredictor times(*device, architecture, {code});
    if (const auto none = times.why_none()) return *none;
    for (const Prediction& prediction : predictions) {
        const auto time = times.time(prediction);
        const auto* predicted = std::get_if<PredictedTime>(&time);
        if (!predicted) continue;
        const VariantInfo& info = prediction.variant->info;
        std::ranges::find(points, info.name(), &SweepPoint::name)->outlook =
            outlook(info.name(), *predicted, info.shape.generations);
    }
    if (std::ranges::any_of(points, [](const SweepPoint& point) {
            return point.outlook && point.outlook->certain;
        }))
        return "";
    return why.empty() ? "no predicted time is certain" : why;
}

const SweepPoint* judge_of(const std::vector<SweepPoint>& points, const std::string& why_no_times,
                           const std::vector<std::string>& failed) {
    const SweepPoint* best = nullptr;
    for (const SweepPoint& point : points) {
        if (!may_judge(point, failed)) continue;
        if (!why_no_times.empty()) {
            if (point.bound_ns && (!best || *point.bound_ns < *best->bound_ns)) best = &point;
        } else if (point.outlook && point.outlook->certain &&
                   (!best || point.outlook->high < best->outlook->high)) {
            best = &point;
        }
    }
    return best;
}

std::string leave_out_hopeless(Study& study, const std::vector<SweepPoint>& points,
                               const std::string& why_no_times,
                               const std::vector<std::string>& failed) {
    study.left_out.clear();
    const SweepPoint* const best = judge_of(points, why_no_times, failed);
    if (!best) return "";
    const bool by_times = why_no_times.empty();
    for (const Variant* variant : study.variants) {
        const auto point = std::ranges::find(points, variant->info.name(), &SweepPoint::name);
        if (point == points.end()) continue;
        if (by_times && point->outlook && is_hopeless(*point->outlook, *best->outlook))
            study.left_out[variant] = why_hopeless(*point->outlook, *best->outlook);
        if (!by_times && point->bound_ns && *point->bound_ns > hopeless_bound * *best->bound_ns)
            study.left_out[variant] = why_by_bound(*point, *best);
    }
    const std::string count =
        fmt::format("{} of {} left out as hopeless", study.left_out.size(), study.variants.size());
    if (by_times)
        return fmt::format(
            "{} by predicted times; the best, {}, is predicted to take {}, {} at "
            "most",
            count, best->name, duration(best->outlook->seconds * 1e9),
            duration(best->outlook->high * 1e9));
    return fmt::format("{} by bounds, as no times are predicted: {}; the least bound is {}, of {}",
                       count, why_no_times, duration(*best->bound_ns), best->name);
}

}  // namespace camber
