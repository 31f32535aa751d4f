#include "harness/cli/model/timing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "analysis/time/machine.hpp"
#include "analysis/time/ranking.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

constexpr std::chrono::seconds longest_wait{60};

// Name of the function that a launch with this kernel name runs, without parameters.
std::string function_of(const std::string& kernel, const Problem& problem) {
    if (kernel != "torus_halo") return kernel;
    const std::size_t bytes = info(problem.cell).size;
    return fmt::format("camber_torus_halo<unsigned {}>", bytes == 1   ? "char"
                                                         : bytes == 4 ? "int"
                                                                      : "long long");
}

// Finds a kernel by its function's name. If its template arguments are written as macros, the
// template name is used, of which a file for one variant has a single instance.
Mixes::const_iterator find_kernel(const Mixes& mixes, const std::string& function) {
    const auto exact = std::ranges::find_if(
        mixes, [&](const auto& entry) { return function_name(entry.first) == function; });
    if (exact != mixes.end()) return exact;
    const auto name_only = [](const std::string& name) { return name.substr(0, name.find('<')); };
    const auto instance = [&](const auto& entry) {
        return name_only(function_name(entry.first)) == name_only(function);
    };
    return std::ranges::count_if(mixes, instance) == 1 ? std::ranges::find_if(mixes, instance)
                                                       : mixes.end();
}

std::optional<int> number_after(std::string_view line, std::string_view word) {
    const auto at = line.find(word);
    if (at == line.npos) return std::nullopt;
    int number = 0;
    const char* const begin = line.data() + at + word.size();
    return std::from_chars(begin, line.data() + line.size(), number).ec == std::errc()
               ? std::optional(number)
               : std::nullopt;
}

}  // namespace

std::optional<ResourceUsage> parse_usage(std::string_view listing, std::string_view symbol) {
    const auto head = listing.find(fmt::format("Function {}:", symbol));
    if (head == listing.npos) return std::nullopt;
    const auto begin = std::min(listing.find('\n', head), listing.size() - 1) + 1;
    const auto line = listing.substr(begin, listing.find('\n', begin) - begin);
    const auto registers = number_after(line, "REG:");
    const auto stack = number_after(line, "STACK:");
    if (!registers || !stack) return std::nullopt;
    return ResourceUsage{*registers, std::max(*stack, number_after(line, " LOCAL:").value_or(0))};
}

std::variant<std::vector<results::Kernel>, std::string> candidate_code(
    const CandidateSource& source, const Prediction& prediction) {
    const auto tool = find_cuobjdump();
    if (!tool) return "cuobjdump of the CUDA Toolkit is not here";
    const Architecture& architecture = prediction.architecture;
    Mixes mixes;
    std::optional<std::string> usage;
    try {
        const DeviceBuild build =
            compile_for_device(source, 10 * architecture.major + architecture.minor,
                               BuildCache(CacheFolder::of_user()));
        const TemporaryFolder folder("take a kernel's machine code apart");
        const auto cubin = folder.write("kernel.cubin", build.cubin);
        if (const auto listing = output_of(*tool, {"-sass", cubin.string()}, longest_wait))
            mixes = parse_listing(*listing);
        usage = output_of(*tool, {"-res-usage", cubin.string()}, longest_wait);
    } catch (const Error& error) {
        return error.code() == ExitCode::unavailable
                   ? "no CUDA compiler is here"
                   : fmt::format("a kernel does not compile for {}", to_string(architecture));
    }
    std::vector<results::Kernel> kernels;
    for (const KernelPrediction& launch : prediction.kernels) {
        const std::string function = function_of(launch.kernel, prediction.problem);
        const auto found = find_kernel(mixes, function);
        const auto resources =
            found == mixes.end() || !usage ? std::nullopt : parse_usage(*usage, found->first);
        if (!resources)
            return fmt::format("cuobjdump tells nothing of the kernel {}", launch.kernel);
        results::Kernel& kernel = kernels.emplace_back();
        kernel.name = launch.kernel;
        kernel.registers = resources->registers;
        kernel.local_bytes = resources->local_bytes;
        kernel.occupancy = occupancy({static_cast<int>(launch.block.count()), resources->registers,
                                      prediction.variant->info.shape.shared_bytes},
                                     architecture);
        if (!kernel.occupancy)
            return fmt::format("the SM limits of {} are unavailable", to_string(architecture));
        record(found->second, kernel);
    }
    return kernels;
}

namespace {

using Code = std::variant<std::vector<results::Kernel>, std::string>;

// Machine code of a variant that was generated from a kernel file.
std::optional<Code> made_now(const Prediction& prediction,
                             const std::vector<CandidatePoint>& candidates) {
    const auto point =
        std::ranges::find(candidates, prediction.variant->file, &CandidatePoint::origin);
    if (point == candidates.end() || kind_of(point->file) != FileKind::kernel) return std::nullopt;
    return candidate_code(read_candidate(point->file, point->settings), prediction);
}

}  // namespace

void set_time(ModelledVariant& model, const TimePredictor& times,
              const std::vector<CandidatePoint>& candidates) {
    const std::optional<Code> code = made_now(model.prediction, candidates);
    const auto* kernels = code ? std::get_if<std::vector<results::Kernel>>(&*code) : nullptr;
    auto time = kernels ? times.time(model.prediction, *kernels) : times.time(model.prediction);
    if (auto* predicted = std::get_if<PredictedTime>(&time); predicted && code && !kernels)
        predicted->doubts.push_back(std::get<std::string>(*code));
    if (auto* reason = std::get_if<std::string>(&time))
        model.no_time = std::move(*reason);
    else
        model.time = std::get<PredictedTime>(std::move(time));
}

std::string reason_between(const ModelledVariant& a, const ModelledVariant& b) {
    const auto named = [](const ModelledVariant& model) -> NamedTime {
        const VariantInfo& info = model.prediction.variant->info;
        if (!model.time)
            throw Error(ExitCode::usage,
                        fmt::format("{} has no predicted time: {}", info.name(), model.no_time));
        return {info.name(), *model.time, info.shape.generations};
    };
    return reason(named(a), named(b));
}

namespace {

// Cases that a launch's prediction is comparable with: on one device, under the default conditions.
// If there are none, cases that were replayed as graphs.
std::vector<const results::CaseRecord*> comparable(const results::Document& measured) {
    const auto submitted = [&](Submission submission) {
        std::vector<const results::CaseRecord*> cases;
        for (const results::CaseRecord& record : measured.cases) {
            results::Identity identity = record.identity;
            if (!record.timed() || identity.backend != Backend::cuda) continue;
            if (identity.submission.value_or(Submission::stream) != submission) continue;
            identity.submission.reset();
            if (identity.is_usual()) cases.push_back(&record);
        }
        return cases;
    };
    auto cases = submitted(Submission::stream);
    return cases.empty() ? submitted(Submission::graph) : cases;
}

std::string board_of(const results::Identity& identity) {
    return fmt::format("{} {}x{} {} {}", identity.workload, identity.size.columns,
                       identity.size.rows, identity.cell,
                       name(identity.boundary.value_or(Boundary::dead)));
}

// Effect that --leave-out-hopeless would have on these variants.
std::string left_out_line(const std::vector<TimedPrediction>& predictions) {
    std::vector<PredictedInterval> all;
    for (const TimedPrediction& p : predictions)
        all.push_back({p.variant, p.predicted, p.low, p.high, !p.uncertain, p.generations});
    if (!best_predicted_interval(all)) return "";
    const double fastest =
        std::ranges::min_element(predictions, {}, &TimedPrediction::measured)->measured;
    int hopeless = 0;
    double least = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PredictedInterval* const best = best_predicted_interval(all, all[i].generations);
        if (!best || !is_dominated(all[i], *best)) continue;
        const double ratio = predictions[i].measured / fastest;
        least = hopeless++ == 0 ? ratio : std::min(least, ratio);
    }
    if (hopeless == 0) return "--leave-out-hopeless would skip none of them.\n";
    return fmt::format(
        "--leave-out-hopeless would skip {} of them; the fastest of these takes {:.2f} times as "
        "long as the best variant.\n",
        hopeless, least);
}

std::string us(double seconds) {
    const double value = seconds * 1e6;
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

}  // namespace

void take_board_of(const results::Document& measured, RunOptions& options) {
    const auto cases = comparable(measured);
    if (cases.empty())
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no GPU times: give a results file of camber run",
                                measured.source));
    std::set<std::string> boards;
    for (const auto* record : cases) boards.insert(board_of(record->identity));
    if (boards.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("\"{}\" has times of {} boards, such as {} and {}: give a file with "
                        "one board",
                        measured.source, boards.size(), *boards.begin(),
                        *std::next(boards.begin())));
    const results::Identity& identity = cases.front()->identity;
    options.workload = identity.workload;
    options.size = fmt::format("{}x{}", identity.size.columns, identity.size.rows);
    options.cell = identity.cell;
    options.boundary = name(identity.boundary.value_or(Boundary::dead));
    if (!identity.rule.empty()) options.workload_options["rule"] = identity.rule;
    // Parameters of the ground of lava workloads do not affect the counts.
    const Workload* const workload = find_workload(identity.workload);
    if (!workload || workload->capabilities().eruption) return;
    // If parameters determine the size, it must not be given as well.
    if (workload->capabilities().parameter_start) options.size.clear();
    for (const auto& [parameter, values] : identity.workload_parameters)
        options.parameters.push_back(fmt::format("{}={}", parameter, fmt::join(values, ",")));
}

Submission submission_of(const results::Document& measured) {
    const auto cases = comparable(measured);
    return cases.empty() ? Submission::stream
                         : cases.front()->identity.submission.value_or(Submission::stream);
}

std::vector<TimedPrediction> beside_measured(const std::vector<ModelledVariant>& models,
                                             const results::Document& measured) {
    std::vector<TimedPrediction> predictions;
    for (const results::CaseRecord* record : comparable(measured)) {
        const auto model = std::ranges::find_if(models, [&](const ModelledVariant& candidate) {
            return candidate.time &&
                   candidate.prediction.variant->info.name() == record->identity.variant;
        });
        if (model == models.end()) continue;
        const int generations = model->prediction.variant->info.shape.generations;
        const PredictedTime& time = *model->time;
        predictions.push_back({record->identity.variant, record->identity.technique,
                               record->real_time_ns * 1e-9, time.seconds / generations,
                               time.low / generations, time.high / generations, time.uncertain(),
                               generations});
    }
    if (predictions.size() < 2)
        throw Error(
            ExitCode::usage,
            fmt::format("\"{}\" has {} of the variants with a predicted time; a ranking needs at "
                        "least two",
                        measured.source, predictions.size()));
    return predictions;
}

void keep_measured(Study& study, const results::Document& measured) {
    std::erase_if(study.variants, [&](const Variant* variant) {
        return std::ranges::none_of(measured.cases, [&](const results::CaseRecord& record) {
            return record.identity.variant == variant->info.name();
        });
    });
    if (study.variants.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("\"{}\" has none of the selected variants: choose others with --variant",
                        measured.source));
}

std::string measured_page(std::vector<TimedPrediction> predictions) {
    std::ranges::stable_sort(predictions, {}, &TimedPrediction::measured);
    TextTable table({"variant", "us/gen", "predicted", "from", "to", "pred./meas."});
    for (const TimedPrediction& p : predictions)
        table.add({p.variant.substr(p.variant.find('/') + 1), us(p.measured),
                   us(p.predicted) + (p.uncertain ? "?" : " "), us(p.low), us(p.high),
                   fmt::format("{:.2f}", p.ratio())});
    TextTable by_technique({"technique", "variants", "pred./meas."});
    for (const TechniqueResidual& residual : residuals(predictions))
        by_technique.add({residual.technique, std::to_string(residual.variants),
                          fmt::format("{:.2f}", residual.ratio)});
    const Accuracy a = accuracy(predictions);
    const std::string left_out = left_out_line(predictions);
    return fmt::format(
        "{}\n{}\n"
        "{} variants. Kendall's tau of the predicted and the measured ranking: {:.2f} (1: same "
        "order, "
        "0: unrelated); {:.2f} for\npairs whose times differ by more than {:.0f} %.\n"
        "The variant predicted to be fastest takes {:.2f} times as long as the fastest one.\n"
        "Prediction error: median {:.1f} %, 90th percentile {:.0f} %; {:.0f} % of the variants are "
        "within {:.0f} %.\n"
        "{:.0f} % of the measured times are inside the predicted interval. {} predictions are "
        "uncertain (?); the median error\nof the others is {:.1f} %.\n{}",
        table.plain(), by_technique.plain(), a.variants, a.tau, a.order_apart, 100 * no_difference,
        a.pick, 100 * a.median_error, 100 * a.ninth_error, 100 * a.within, 100 * usual_error,
        100 * a.in_interval, a.uncertain, 100 * a.certain_error, left_out);
}

}  // namespace camber
