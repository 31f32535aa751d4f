#include "harness/cli/run/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/machine/sass/kernel_code.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/session.hpp"
#include "harness/measure/study.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/code_inspection.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

// Machine code of variants for the GPU in use.

// Launches each predicted variant once, on its small board or, if it has none, on the study's board
// if that is small, and collects the facts and instruction counts of its kernels. The table omits
// variants without kernel code, and is empty if no disassembler is available. Throws
// Error(unavailable) if the device cannot be used, Stopped if the process is to end.
results::CodeTable code_on_device(const Study& study, const DeviceInfo& device,
                                  const std::map<const Variant*, Prediction>& predictions);

namespace {

// Limit for the study's own board: takes a few milliseconds.
constexpr std::int64_t most_cells = 1 << 22;

std::optional<Size> board_for(const Prediction& prediction) {
    if (prediction.small_board) return prediction.small_board;
    const Size own = prediction.problem.size;
    return own.cells() <= most_cells ? std::optional(own) : std::nullopt;
}

std::vector<KernelFacts> facts_of(const Study& study, Queue& queue, const Variant& variant,
                                  Size board) {
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    if (board != problem.size) {
        problem.size = board;
        // An input may not fit the board, and kernels do not depend on the data.
        conditions = study.workload->generated(conditions, board);
    }
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(study.backend)(queue, problem);
    execution->upload(start_of(*study.workload, conditions, problem.parameters));
    execution->advance(variant.info.shape.generations);
    queue.synchronize();
    return queue.take_kernel_facts();
}

// Returns an empty list if a kernel's instructions are unavailable.
std::vector<results::Kernel> kernels_of(const std::vector<KernelFacts>& facts, KernelCode& code) {
    std::vector<results::Kernel> kernels;
    for (const KernelFacts& one : facts) {
        const results::Kernel* const mix = code.find(one.symbol, one.address);
        if (!mix) return {};
        kernels.push_back(recorded(one, true));
        record(*mix, kernels.back());
    }
    return kernels;
}

}  // namespace

results::CodeTable code_on_device(const Study& study, const DeviceInfo& device,
                                  const std::map<const Variant*, Prediction>& predictions) {
    results::CodeTable table;
    table.arch = fmt::format("{}.{}", device.major, device.minor);
    const auto queue = open_queue(study);
    std::vector<std::pair<const Variant*, std::vector<KernelFacts>>> launched;
    for (const auto& [variant, prediction] : predictions) {
        check_stop();
        const auto board = board_for(prediction);
        if (!board) continue;
        try {
            launched.emplace_back(variant, facts_of(study, *queue, *variant, *board));
        } catch (const Error&) {
            queue->take_kernel_facts();  // a later measurement of the variant reports the error
        }
    }
    KernelCode code(device.major, device.minor, CacheFolder::of_user());
    for (const auto& [variant, facts] : launched)
        for (const KernelFacts& one : facts) code.find(one.symbol, one.address);
    code.load();
    for (const auto& [variant, facts] : launched)
        if (auto kernels = kernels_of(facts, code); !kernels.empty())
            table.add(variant->info.name(), std::string(info(study.problem.cell).name),
                      study.problem.boundary, std::move(kernels));
    return table;
}

namespace {

// Average time budget for predicting a variant: a quarter of the time to verify and time it on a
// GPU.
constexpr double seconds_per_variant = 0.05;

// Returns an option whose times cannot be predicted; "" if there is none.
std::string unpredictable(const RunOptions& options) {
    if (options.graph) return "--graph";
    if (options.cache != "hot") return "--cache " + options.cache;
    if (options.from_start) return "--from-start";
    if (options.intervals > 0) return "--intervals";
    if (options.group.ranks) return "--ranks";
    if (const auto words = options.group.words(); !words.empty()) return words.front();
    return "";
}

ModelDevice device_for(const Study& study, const RunOptions& options) {
    if (const auto device = device_of(study)) return device_in_use(*device, study.fresh_limits);
    return device_of(read_ceilings(options.ceilings));
}

// Throws Error(usage) if a file has too few figures, or describes a device without machine code.
void check_file(const ModelDevice& device, const TimePredictor& times, const RunOptions& options) {
    if (const auto why = times.why_none())
        throw Error(ExitCode::usage, fmt::format("\"{}\" is not sufficient to predict times: {}",
                                                 options.ceilings, *why));
    if (!times.stand_in().empty())
        throw Error(
            ExitCode::usage,
            fmt::format("\"{}\" is from an {}, compute capability {}, for which this program "
                        "has no machine code, so predicted times are uncertain: give the "
                        "ceilings of another device, or run on that one",
                        options.ceilings, device.gpu.name, device.gpu.compute_capability));
}

std::string why_none(const TimePredictor& times) {
    if (const auto why = times.why_none()) return *why;
    if (!times.stand_in().empty()) return times.stand_in() + " (cuobjdump is missing)";
    return "no predicted time is certain";
}

std::string line_of(const Study& study, const std::optional<PredictedInterval>& best,
                    const TimePredictor& times) {
    const std::string count = left_out_text(study.left_out.size(), study.variants.size());
    if (!best) return fmt::format("{}: {}", count, why_none(times));
    return fmt::format("{} by their predicted times; the best is {}, predicted {}, at most {}",
                       count, best->variant, duration(best->seconds * 1e9),
                       duration(best->high * 1e9));
}

}  // namespace

std::string left_out_text(std::size_t left_out, std::size_t variants) {
    return fmt::format("{} of {} variants {} left out", left_out, variants,
                       left_out == 1 ? "is" : "are");
}

void check_leave_out(const RunOptions& options) {
    const auto refuse = [](const std::string& sentence) { throw Error(ExitCode::usage, sentence); };
    if (!options.leave_out_dominated) {
        if (names_file(options.ceilings))
            refuse(
                fmt::format("--ceilings is '{}': choose kept or fresh, or combine a file "
                            "with --leave-out-hopeless",
                            options.ceilings));
        if (options.dry_run || !options.keep.empty())
            refuse(fmt::format("{} applies to --leave-out-hopeless only: give that, too",
                               options.dry_run ? "--dry-run" : "--keep"));
        return;
    }
    if (const std::string other = unpredictable(options); !other.empty())
        refuse(
            fmt::format("--leave-out-hopeless predicts launches on one GPU, in a stream, from "
                        "the initial state, which {} changes: leave out one of the two",
                        other));
    if (options.processes > 1)
        refuse(
            "--leave-out-hopeless cannot be combined with --processes: leave out one of the "
            "two");
    if (!options.candidates.empty())
        refuse(
            "--leave-out-hopeless has the machine code of camber's own variants only, not of "
            "--candidate: use camber try --sweep, which skips dominated combinations");
}

std::vector<std::string> leave_out(std::vector<Study>& studies, const RunOptions& options) {
    const Study& first = studies.front();
    if (first.backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    "--leave-out-hopeless predicts kernels, but the cpu backend has none: leave it "
                    "out");
    if (first.backend == Backend::cuda && names_file(options.ceilings))
        throw Error(
            ExitCode::usage,
            fmt::format("--ceilings {} cannot replace the ceilings of this GPU: choose kept "
                        "or fresh",
                        options.ceilings));
    if (first.backend == Backend::simt && !names_file(options.ceilings))
        throw Error(ExitCode::usage,
                    "--leave-out-hopeless needs the ceilings of a device, but the simt backend has "
                    "none: give --ceilings with a card (h100, h200) or a file");
    if (!first.workload->capabilities().board_fields)
        throw Error(
            ExitCode::usage,
            fmt::format("--leave-out-hopeless predicts kernels over a board, but {} does more "
                        "in a generation: leave it out",
                        first.workload->name()));
    const ModelDevice device = device_for(first, options);
    const Architecture architecture = parse_architecture(device.gpu.compute_capability);
    const DeviceLimits limits = open_queue(first)->limits();
    if (names_file(options.ceilings))
        check_file(device, TimePredictor(device, architecture), options);
    std::vector<std::string> lines;
    for (Study& study : studies) {
        std::optional<double> seconds;
        if (study.time) seconds = seconds_per_variant * static_cast<double>(study.variants.size());
        const auto predictions = predictions_of(study, limits, architecture, seconds);
        std::vector<results::CodeTable> own;
        if (const auto gpu = device_of(study))
            own.push_back(code_on_device(study, *gpu, predictions));
        std::erase_if(own, [](const results::CodeTable& table) { return table.empty(); });
        const TimePredictor times(device, architecture, std::move(own));
        const auto best =
            leave_out_dominated(study, predicted_intervals(predictions, times), options.keep);
        lines.push_back(line_of(study, best, times));
    }
    return lines;
}

void take_back(results::Document& document, const std::vector<Study>& studies) {
    std::set<std::string> still;  // case names
    for (const Study& study : studies)
        for (const Case& chosen : cases_of(study))
            if (study.left_out.contains(chosen.variant)) still.insert(case_name(study, chosen));
    const auto taken = std::erase_if(document.cases, [&](const results::CaseRecord& record) {
        return record.left_out && !still.contains(record.name);
    });
    if (taken == 0 || document.context.run->incomplete) return;
    const auto cases = static_cast<std::int64_t>(document.cases.size());
    const std::int64_t rounds = studies.front().rounds;
    const std::int64_t all = cases + static_cast<std::int64_t>(taken);
    document.context.run->incomplete = {cases, all, cases * rounds, all * rounds};
}

}  // namespace camber
