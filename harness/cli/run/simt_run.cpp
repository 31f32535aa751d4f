#include "harness/cli/run/printing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/session.hpp"
#include "harness/predict/prediction_record.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

constexpr Size enough{170, 130};      // the backend's default size
constexpr Size trial_board{256, 64};  // takes a few milliseconds

// Seconds per cell and generation; nullopt if the variant cannot run the trial.
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
    if (study.backend != Backend::simt || study.initial.input ||
        study.workload->capabilities().parameter_start ||
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

namespace {

constexpr int most_listed = 20;                // verified cases; beyond it, a summary
constexpr std::size_t shown_variants = 10;     // those with the least traffic
constexpr double prediction_seconds = 10;      // time limit on boards above quick_cells
constexpr std::int64_t quick_cells = 1 << 16;  // predicted in hundredths of a second per variant
constexpr const char* architecture = "sm_90";  // as camber model without --arch

// Predicted traffic of a variant, per cell and generation.
struct Traffic {
    const Variant* variant = nullptr;
    double bytes = 0;
    double ratio = 0;  // bytes moved / bytes needed
    double load_sectors = 0;
    double store_sectors = 0;
};

Traffic traffic_of(const Variant& variant, const Prediction& prediction, const Study& study) {
    const double cells =
        static_cast<double>(study.problem.size.cells()) * variant.info.shape.generations;
    const auto per_cell = [&](std::int64_t amount) { return static_cast<double>(amount) / cells; };
    const AccessCounts counts = prediction.counts();
    const auto bytes = static_cast<double>(bytes_moved(prediction));
    return {&variant, bytes / cells, bytes / bytes_needed(prediction, *study.workload),
            per_cell(counts.global_load.sectors + counts.texture_load.sectors +
                     counts.bulk_load.sectors),
            per_cell(counts.global_store.sectors)};
}

bool is_verified(const Variant& variant, const results::Document& document) {
    return std::ranges::any_of(document.cases, [&](const results::CaseRecord& record) {
        return record.status == results::Status::ok &&
               record.identity.variant == variant.info.name();
    });
}

// Traffic of the verified variants that can be modeled, the least first. Empty if predicting all
// of them takes too long or work is to stop.
std::vector<Traffic> least_traffic(const Study& study, const results::Document& document) {
    std::optional<double> limit;
    if (study.problem.size.cells() > quick_cells) limit = prediction_seconds;
    std::map<const Variant*, Prediction> predictions;
    try {
        predictions = predictions_of(study, open_queue(study)->limits(),
                                     parse_architecture(architecture), limit);
    } catch (const Stopped&) {
        return {};  // the results are complete without this summary
    }
    std::vector<Traffic> all;
    for (const Variant* variant : study.variants) {
        if (!is_verified(*variant, document) || reason_not_to_model(*variant, study.problem))
            continue;
        const auto prediction = predictions.find(variant);
        if (prediction == predictions.end()) return {};
        all.push_back(traffic_of(*variant, prediction->second, study));
    }
    std::ranges::sort(all, [](const Traffic& a, const Traffic& b) {
        return std::pair(a.bytes, a.variant->info.name()) <
               std::pair(b.bytes, b.variant->info.name());
    });
    return all;
}

std::string traffic_table(const std::vector<Traffic>& all) {
    TextTable table({"variant", "gen/launch", "B/cell", "/need", "load sect.", "store sect."});
    for (std::size_t i = 0; i < std::min(shown_variants, all.size()); ++i) {
        const Traffic& traffic = all[i];
        table.add({traffic.variant->info.name(),
                   fmt::format("{}", traffic.variant->info.shape.generations),
                   fmt::format("{:.2f}", traffic.bytes),
                   std::isfinite(traffic.ratio) ? fmt::format("{:.2f}", traffic.ratio) : "-",
                   fmt::format("{:.3f}", traffic.load_sectors),
                   fmt::format("{:.3f}", traffic.store_sectors)});
    }
    return table.plain();
}

// "84 of 84 variants verified: all 22100 cells match the reference after 8 generations."
std::string verified_line(const Study& study, const results::Document& document) {
    const int verified = cases_with(document, results::Status::ok);
    const int failed = cases_with(document, results::Status::failed);
    const int skipped = cases_with(document, results::Status::skipped);
    std::string text = fmt::format(
        "{} of {} variants verified: every cell of the board matches "
        "the reference after {} generation{}.",
        verified, verified + failed + skipped, study.generations,
        study.generations == 1 ? "" : "s");
    if (failed > 0) text += fmt::format(" {} FAILED.", failed);
    if (skipped > 0) text += fmt::format(" {} skipped.", skipped);
    return text + "\n";
}

// Options that select the same problem in another command.
std::string problem_options(const Study& study) {
    std::string text;
    if (study.workload->name() != "life")
        text += fmt::format(" --workload {}", study.workload->name());
    if (study.problem.cell != study.workload->facts().cell_types.front())
        text += fmt::format(" --cell {}", info(study.problem.cell).name);
    return text;
}

std::string next_commands(const Study& study, const std::vector<Traffic>& all) {
    const std::string options = problem_options(study);
    const Variant& best = all.empty() ? *study.variants.front() : *all.front().variant;
    const std::string full_name = best.info.name();
    const std::string name = full_name.substr(full_name.find('/') + 1);
    const std::string technique = name.substr(0, name.find('/'));
    return fmt::format(
        "\nNext:\n"
        "  camber model{0} --variant {1}\n"
        "      memory accesses of {1}, line by line\n"
        "  camber check{0} '{2}/*'\n"
        "      races, reads of uninitialized memory and out-of-bounds accesses\n"
        "  camber run{0} --all-rows\n"
        "      a row for every variant\n"
        "On a machine with a GPU, camber run also times and ranks the variants.\n",
        options, name, technique);
}

}  // namespace

bool has_many_verified(const results::Document& document) {
    return std::ranges::count_if(document.cases, [](const results::CaseRecord& record) {
               return record.by_camber && record.status == results::Status::ok &&
                      record.identity.backend == Backend::simt;
           }) > most_listed;
}

std::string verified_summary(const Study& study, const results::Document& document) {
    const std::vector<Traffic> all = least_traffic(study, document);
    std::string text = verified_line(study, document);
    if (all.empty())
        text +=
            "\nThe memory traffic of all variants was not predicted: camber model predicts it.\n";
    else
        text += fmt::format(
            "\nLeast predicted memory traffic, per cell and generation (rules of {}):\n{}"
            "B/cell: bytes moved between threads and L1, in sectors of 32 bytes; /need: bytes "
            "moved / bytes\nneeded (each cell read once and written once); load sect., store "
            "sect.: sectors loaded and stored\n",
            to_string(parse_architecture(architecture)), traffic_table(all));
    return text + next_commands(study, all);
}

}  // namespace camber
