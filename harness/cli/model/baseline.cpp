#include "harness/cli/model/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/predict/prediction_record.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

struct Board {
    std::string_view workload;
    const char* size;
    const char* boundary = "";
    const char* cell = "";
    const char* variants = "*";
};

// Small boards, so that all of them fit in constant memory and all models take seconds. The blocks
// of almost all variants divide 128x64, and none divides 100x60. Workloads with the most variants
// use the same techniques as others, so they have one board only.
constexpr Board boards[] = {
    {"life", "128x64"},
    {"life", "100x60"},
    {"life", "100x60", "torus", "uint8"},
    {"life", "96x60", "torus", "bits"},
    {"life", "4096x64", "", "bits"},
    {"larger_than_life", "128x64"},
    {"larger_than_life", "100x60", "torus"},
    {"larger_than_life", "96x60", "torus", "bits"},
    {"blur", "128x64"},
    {"blur", "100x60"},
    {"gaussian", "128x64"},
    {"gaussian", "100x60", "torus"},
    {"dog", "128x64"},
    {"dog", "100x60"},
    {"dog_image", "128x64"},
    {"extrema", "128x64"},
    {"extrema", "100x60"},
    {"extrema_stack", "128x64"},
    {"surface_water", "128x64"},
    {"surface_water_clock", "128x64"},
    {"water_flow", "128x64"},
    {"water_flow", "100x60"},
    {"sciara_fv2", "128x64"},
    {"sciara_fv3", "128x64"},
    {"magflow", "128x64"},
    {"transfer_overlap", "128x64"},
    {"sph", "64x32"},
    // Techniques that exist only for double, or only for float, and shapes only for double.
    {"sph", "64x32", "", "float64", "*/double4/*"},
    {"sciara_fv3", "128x64", "", "float32", "fast_math*"},
    {"blur", "128x64", "", "float64", "*_stream/*"},
    {"gaussian", "128x64", "", "float64", "weighted_stream/*"},
};

// Divisible by most block shapes, for kernels that accept no other board.
constexpr Board even_board{"", "768x48"};

Study study_of(const Board& board, RunOptions options = {}) {
    options.workload = std::string(board.workload);
    options.size = board.size;
    options.boundary = board.boundary;
    options.cell = board.cell;
    if (options.candidates.empty()) options.variants = {board.variants};
    options.backend = name(Backend::simt);
    return study_from(options);
}

}  // namespace

namespace {

// Boards for a workload that the user defines.
constexpr Board own_boards[] = {{"", "128x64"}, {"", "100x60"}};

std::vector<Board> boards_for(const RunOptions& options) {
    std::vector<Board> chosen;
    if (!options.size.empty()) return {{options.workload, options.size.c_str()}};
    for (const Board& board : boards)
        if (board.workload == options.workload && !*board.boundary && !*board.cell)
            chosen.push_back(board);
    if (chosen.empty())
        for (Board board : own_boards) {
            board.workload = options.workload;
            chosen.push_back(board);
        }
    return chosen;
}

bool divide(const Variant& variant, Size size) {
    return std::ranges::all_of(variant.info.regions, [&](const Region& region) {
        return size.columns % region.columns == 0 && size.rows % region.rows == 0;
    });
}

// Chooses the problem that the point's file declares, or otherwise the command's problem.
void choose_problem_of_file(const CandidatePoint& point, OwnProblemOptions own,
                            RunOptions& options) {
    const SaidProblem said = capture::names_captured_launch(own.reference)
                                 ? SaidProblem{}
                                 : problem_said_by(point.file, point.settings);
    if (!said.workload.empty()) {
        options.workload = said.workload;
        own = {};
    }
    if (!said.reference.empty()) own.reference = said.reference;
    choose_problem(own, own.reference.empty(), options);
}

}  // namespace

std::string model_candidates(const RunOptions& run, const OwnProblemOptions& own) {
    const Architecture architecture = parse_architecture("sm_90");
    std::vector<results::ModelEntry> models;
    // Adds the variants that can be modeled; returns the reason if some cannot.
    const auto model = [&](const Board& board, const RunOptions& options,
                           bool any_size) -> std::string {
        const Study study = study_of(board, options);
        const InitialData initial{study.workload, study.initial, nullptr};
        for (const Variant* variant : study.variants) {
            if (auto reason = reason_not_to_model(*variant, study.problem)) return *reason;
            try {
                models.push_back(model_entry(
                    predict(*variant, study.problem, initial, architecture), *study.workload));
            } catch (const simt::KernelFault& fault) {
                if (any_size || divide(*variant, study.problem.size)) throw;
                fmt::print(stderr,
                           "camber: {} is not modeled on {}, which its blocks do not divide; "
                           "overhang=no in its camber: line confirms this\n",
                           variant->file, board.size);
                return fault.what();
            }
        }
        return "";
    };
    const std::vector<CandidatePoint> points = candidate_points(run);
    Progress progress;
    for (std::size_t i = 0; i < points.size(); ++i) {
        progress.show(static_cast<int>(i), static_cast<int>(points.size()), points[i].origin);
        RunOptions options = only(points[i], run);
        choose_problem_of_file(points[i], own, options);
        const bool any_size = problem_said_by(points[i].file, points[i].settings).takes_any_size;
        const std::size_t before = models.size();
        std::string reason;
        for (const Board& board : boards_for(options)) reason = model(board, options, any_size);
        if (models.size() == before && options.size.empty()) {
            Board board = even_board;
            board.workload = options.workload;
            reason = model(board, options, any_size);
        }
        if (models.size() == before)
            throw Error(ExitCode::usage,
                        fmt::format("{} cannot be modelled on small boards, because it {}: leave "
                                    "it out",
                                    points[i].origin, reason));
    }
    return results::to_baseline_text(models);
}

std::string model_baseline() {
    const Architecture architecture = parse_architecture("sm_90");
    std::vector<results::ModelEntry> models;
    Progress progress;
    for (const Board& board : boards) {
        const Study study = study_of(board);
        const InitialData initial{study.workload, study.initial, nullptr};
        Predictions predictions([&](const Variant& variant) {
            return predict(variant, study.problem, initial, architecture);
        });
        predictions.begin(study.variants, thread_count(study.cpu_threads));
        int done = 0;
        for (const Variant* variant : study.variants) {
            progress.show(done++, static_cast<int>(study.variants.size()), variant->info.name());
            models.push_back(model_entry(predictions.of(*variant), *study.workload));
        }
    }
    return results::to_baseline_text(models);
}

}  // namespace camber
