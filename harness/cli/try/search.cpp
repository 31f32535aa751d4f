#include "harness/cli/try/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/check/check_command.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/compare/wording.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/cli/try/measuring.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/session.hpp"
#include "harness/own/source/settings.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber {

namespace {

// Bounds rank kernels only roughly, but on no board in results/h200 is the fastest variant one
// whose bound is three times the smallest bound (tests/results/committed_results_test.cpp).
constexpr double dominated_bound = 3;

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
        std::ranges::find(points, info.name(), &SweepPoint::name)->predicted_interval =
            predicted_interval(info.name(), *predicted, info.shape.generations);
    }
    if (std::ranges::any_of(points, [](const SweepPoint& point) {
            return point.predicted_interval && point.predicted_interval->certain;
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
        } else if (point.predicted_interval && point.predicted_interval->certain &&
                   (!best || point.predicted_interval->high < best->predicted_interval->high)) {
            best = &point;
        }
    }
    return best;
}

std::string leave_out_dominated(Study& study, const std::vector<SweepPoint>& points,
                                const std::string& why_no_times,
                                const std::vector<std::string>& failed) {
    study.left_out.clear();
    const SweepPoint* const best = judge_of(points, why_no_times, failed);
    if (!best) return "";
    const bool by_times = why_no_times.empty();
    for (const Variant* variant : study.variants) {
        const auto point = std::ranges::find(points, variant->info.name(), &SweepPoint::name);
        if (point == points.end()) continue;
        if (by_times && point->predicted_interval &&
            is_dominated(*point->predicted_interval, *best->predicted_interval))
            study.left_out[variant] =
                why_dominated(*point->predicted_interval, *best->predicted_interval);
        if (!by_times && point->bound_ns && *point->bound_ns > dominated_bound * *best->bound_ns)
            study.left_out[variant] = why_by_bound(*point, *best);
    }
    const std::string count =
        fmt::format("{} of {} left out as hopeless", study.left_out.size(), study.variants.size());
    if (by_times)
        return fmt::format(
            "{} by predicted times; the best, {}, is predicted to take {}, {} at "
            "most",
            count, best->name, duration(best->predicted_interval->seconds * 1e9),
            duration(best->predicted_interval->high * 1e9));
    return fmt::format("{} by bounds, as no times are predicted: {}; the least bound is {}, of {}",
                       count, why_no_times, duration(*best->bound_ns), best->name);
}

namespace {

// Builds all points. Reports those that cannot be built and removes them from `run`.
std::vector<SweepPoint> build(RunOptions& run) {
    const Workload& workload = workload_of(run);
    const ElementType cell = cell_of(run, workload);
    const Backend backend = chosen_backend(run);
    const std::vector<CandidatePoint> all = candidate_points(run);
    std::vector<SweepPoint> points;
    std::vector<std::string> left_out;
    Progress progress;
    for (const CandidatePoint& one : all) {
        check_stop();
        progress.show(static_cast<int>(points.size() + left_out.size()),
                      static_cast<int>(all.size()), "compiling " + one.origin);
        try {
            for (const std::string& name : register_candidate(one, run, workload, cell, backend))
                points.push_back({one, name, {}, {}, {}});
        } catch (const Error& error) {
            if (error.code() != ExitCode::usage) throw;
            left_out.push_back(text_of(one.settings) + ": " + error.what());
            run.left_out.push_back(one.origin);
            if (left_out.size() == all.size()) throw;
        }
    }
    progress.clear();
    fmt::print("{} combination{} built, {} left out\n", points.size(),
               points.size() == 1 ? "" : "s", left_out.size());
    for (const std::string& reason : left_out) fmt::print("left out {}\n", reason);
    return points;
}

// Default study or, if some candidates require a board that their blocks divide, a study on a board
// that all blocks divide.
Study study_for(RunOptions& run) {
    constexpr std::int64_t most_cells = 1 << 19;  // limit on the executor
    Study study = study_from(run);
    const bool all_fit = std::ranges::none_of(study.variants, [&](const Variant* variant) {
        return variant->unsupported && variant->unsupported(study.problem);
    });
    if (all_fit || !run.size.empty() || study.backend != Backend::simt) return study;
    std::int64_t columns = 1;
    std::int64_t rows = 1;
    for (const Variant* variant : study.variants)
        for (const Region& region : variant->info.regions) {
            columns = std::min(std::lcm(columns, std::int64_t{region.columns}), most_cells);
            rows = std::min(std::lcm(rows, std::int64_t{region.rows}), most_cells);
        }
    const auto at_least = [](std::int64_t step, int usual) {
        return (usual + step - 1) / step * step;
    };
    columns = at_least(columns, study.problem.size.columns);
    rows = at_least(rows, study.problem.size.rows);
    if (columns * rows > most_cells) return study;
    run.size = fmt::format("{}x{}", columns, rows);
    return study_from(run);
}

// Device of the file, or GPU of the study.
std::optional<ModelDevice> device_for(const Study& study, const std::string& ceilings) {
    if (!ceilings.empty()) return device_of(read_ceilings(ceilings));
    if (const auto device = device_of(study)) return device_in_use(*device, false);
    return std::nullopt;
}

template <class Figure>
const SweepPoint* least(const std::vector<SweepPoint>& points, const Figure& figure) {
    const SweepPoint* best = nullptr;
    for (const SweepPoint& point : points)
        if (figure(point) && (!best || *figure(point) < *figure(*best))) best = &point;
    return best;
}

const results::CaseRecord* record_of(const results::Document& document, const std::string& name) {
    for (const results::CaseRecord& record : document.cases)
        if (record.identity.variant == name && record.status == results::Status::ok) return &record;
    return nullptr;
}

// Measures all points except dominated ones. If the best point, by which others were judged, turns
// out to be wrong, the points that it dominated are judged again.
void measure_promising(std::vector<SweepPoint>& points, Study& study,
                       const std::optional<ModelDevice>& device, const RunOptions& run,
                       results::ResultsFile& file, const CommandLine& command_line) {
    const std::string why_no_times = model_points(points, study, device);
    std::vector<std::string> failed;
    while (true) {
        if (const std::string sentence = leave_out_dominated(study, points, why_no_times, failed);
            !sentence.empty())
            fmt::print("{}\n", sentence);
        fmt::print("\n== Every cell against the reference\n");
        measure_study(study, run, file, command_line);
        const SweepPoint* const judge = judge_of(points, why_no_times, failed);
        if (stopping() || study.left_out.empty() || record_of(file.document(), judge->name)) return;
        failed.push_back(judge->name);
        fmt::print("{} is wrong: what was left out for it is judged anew\n", judge->name);
        file.amend([](results::Document& document) {
            std::erase_if(document.cases, [](const auto& one) { return one.left_out; });
        });
    }
}

// Time per generation in nanoseconds.
struct Interval {
    double median = 0;
    double low = 0;
    double high = 0;
};
Interval interval_of(const results::CaseRecord& record) {
    const SampleStatistics& statistics = record.samples->statistics;
    const double generations = record.samples->generations_per_sample;
    return {statistics.median / generations, statistics.ci95_low / generations,
            statistics.ci95_high / generations};
}

// Prints the best point that passed, with its figures. `timed`: compares times instead of
// predictions.
const SweepPoint* print_best(const std::vector<SweepPoint>& points,
                             const results::Document& document, bool timed) {
    std::vector<SweepPoint> passed;
    std::vector<std::string> names;
    for (const SweepPoint& point : points) {
        if (!record_of(document, point.name)) continue;
        passed.push_back(point);
        names.push_back(point.name);
    }
    const bool predicted = std::ranges::all_of(
        passed, [](const SweepPoint& point) { return point.predicted_interval.has_value(); });
    const auto figure = [&](const SweepPoint& point) -> std::optional<double> {
        if (timed) return interval_of(*record_of(document, point.name)).median;
        if (predicted) return point.predicted_interval->seconds;
        return point.bound_ns ? point.bound_ns : point.moved;
    };
    const SweepPoint* const found = least(passed, figure);
    if (!found) {
        fmt::print("none passed\n");
        return nullptr;
    }
    const SweepPoint* const best = &*std::ranges::find(points, found->name, &SweepPoint::name);
    if (!timed) {
        fmt::print("{}: {}; only a GPU tells the time\n", best->name,
                   predicted ? fmt::format("{} ({} ... {}) predicted",
                                           duration(best->predicted_interval->seconds * 1e9),
                                           duration(best->predicted_interval->low * 1e9),
                                           duration(best->predicted_interval->high * 1e9))
                   : best->bound_ns
                       ? fmt::format("{} at least, by the model", duration(*best->bound_ns))
                       : std::string("it moves the fewest bytes, by the model"));
        return best;
    }
    const Interval interval = interval_of(*record_of(document, best->name));
    fmt::print("{}: {} ({} ... {}) per generation\n", best->name, duration(interval.median),
               duration(interval.low), duration(interval.high));
    if (const auto others = not_slower(document, best->name, names); !others.empty())
        fmt::print("not slower than it, as far as the samples tell: {}\n", fmt::join(others, ", "));
    return best;
}

// Quotes a word for a shell.
std::string quoted(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) || std::string_view("._-/=+,:").find(c) != std::string_view::npos;
    });
    if (plain && !word.empty()) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string profile_command(const RunOptions& run) {
    std::string text = "camber profile --workload " + quoted(run.workload);
    for (const std::string& file : run.candidates) text += " --candidate " + quoted(file);
    for (const std::string& sweep : run.sweeps) text += " --sweep " + quoted(sweep);
    return text;
}

}  // namespace

int run_search(const RunOptions& asked, const std::string& ceilings,
               const CommandLine& command_line) {
    RunOptions run = asked;
    if (!run.out) run.out = default_search_results;
    check_files({{"--ceilings", ceilings}}, {{"--out", *run.out}});
    const StopSignals signals;
    fmt::print("== Combinations\n");
    std::vector<SweepPoint> points = build(run);

    results::ResultsFile file(*run.out);
    Study study = study_for(run);
    measure_promising(points, study, device_for(study, ceilings), run, file, command_line);
    fmt::print("results: {}\n", *run.out);
    const auto& cases = file.document().cases;
    if (std::ranges::all_of(cases, [](const results::CaseRecord& record) {
            return record.status == results::Status::skipped;
        }))
        throw Error(ExitCode::usage,
                    fmt::format("nothing was verified, because the kernel {}: give another --size",
                                cases.front().reason));
    if (stopping()) return static_cast<int>(ExitCode::success);  // main() ends by the signal

    fmt::print("\n== The best\n");
    const SweepPoint* const best = print_best(points, file.document(), study.time);
    if (!best) return static_cast<int>(ExitCode::wrong_result);
    const RunOptions chosen = only(best->from, run);
    fmt::print("what limits it: {}\n", profile_command(chosen));

    fmt::print("\n== Races, bounds, reads of unwritten memory (on the executor)\n");
    std::fflush(stdout);
    RunOptions to_check = chosen;
    to_check.variants.clear();
    const int checked =
        run_checks(checks_after(to_check, study.problem.size, regions_of_candidates(study)));
    fmt::print("\n== What it asks of memory, by the model\n");
    std::fflush(stdout);
    RunOptions model = chosen;
    model.input.clear();
    run_model(model, command_line);
    return all_passed(file.document()) ? checked : static_cast<int>(ExitCode::wrong_result);
}

}  // namespace camber
