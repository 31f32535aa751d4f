#include "harness/cli/common/predicted_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/measure/counting_pass.hpp"
#include "harness/predict/launch_time.hpp"
#include "harness/record/metric_names.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using Kernels = std::vector<results::Kernel>;

using Classes = std::map<std::string, std::int64_t>;

// Instruction counts of a kernel, in classes that files of all versions distinguish. Some versions
// omit classes without instructions, and older versions counted constant loads as moves, and
// minimum and maximum operations as arithmetic.
Classes text_of(const results::Kernel& kernel) {
    Classes some;
    for (const auto& [name, count] : kernel.instructions)
        if (count > 0 && (name == text_counts::total || text_counts::is_class(name)))
            some[name == "constant_loads" ? "moves"
                 : name == "fp32"         ? "predicates"
                                          : name] += count;
    return some;
}

// True if the file's schedule is as this version counts it. Older versions counted no cycles, or
// they took loads of spilled registers for memory waits.
bool tells_schedule(const results::Kernel& kernel) {
    const std::map<std::string, std::int64_t>& counts = kernel.instructions;
    const auto spilled = counts.find("local_loads");
    return counts.contains(std::string(text_counts::cycles)) &&
           (spilled == counts.end() || spilled->second == 0);
}

bool has_same_classes(const results::Kernel& one, const results::Kernel& other) {
    const auto count_of = [](const results::Kernel& kernel, const std::string& name) {
        const auto found = kernel.instructions.find(name);
        return found == kernel.instructions.end() ? 0 : found->second;
    };
    return std::ranges::all_of(other.instructions, [&](const auto& entry) {
        return !text_counts::is_class(entry.first) || count_of(one, entry.first) == entry.second;
    });
}

// Completes files of older versions, which lack predicated instructions, stall counts, loops and
// basic blocks, from kernels with the same instruction counts in `tables`.
void complete(std::vector<results::CodeTable>& incomplete,
              const std::vector<results::CodeTable>& tables) {
    std::map<Classes, const results::Kernel*> by_text;
    for (const results::CodeTable& table : tables)
        table.for_each_text([&](const results::Kernel& kernel) {
            const auto [found, added] = by_text.try_emplace(text_of(kernel), &kernel);
            if (!tells_schedule(*found->second)) found->second = &kernel;
        });
    for (results::CodeTable& table : incomplete)
        table.change_each_kernel([&](results::Kernel& kernel) {
            const auto found = by_text.find(text_of(kernel));
            if (found == by_text.end()) return;
            const results::Kernel& known = *found->second;
            if (kernel.basic_blocks.empty()) kernel.basic_blocks = known.basic_blocks;
            // Older versions did not record loops without memory accesses.
            if (known.regions.size() > kernel.regions.size()) kernel.regions = known.regions;
            if (tells_schedule(kernel) && has_same_classes(kernel, known)) return;
            kernel.instructions = known.instructions;
            if (!known.regions.empty()) kernel.regions = known.regions;
            if (!known.basic_blocks.empty()) kernel.basic_blocks = known.basic_blocks;
        });
}

// Fraction of launches that run a kernel: the first launch begins a period, and most others do not.
std::function<double(const std::string&)> share_of_launches(const Prediction& prediction) {
    const Workload* const workload = find_workload(prediction.variant->info.workload);
    const ParameterStart* const start =
        workload ? workload->capabilities().parameter_start : nullptr;
    if (!start) return {};
    const double periods = static_cast<double>(prediction.variant->info.shape.generations) /
                           start->period(prediction.problem.parameters);
    return [start, periods](const std::string& kernel) {
        return start->begins_period(kernel) ? std::min(1.0, periods) : 1.0;
    };
}

}  // namespace

ModelDevice device_of(const results::Document& document) {
    const auto limits = hardware_limits(document);
    if (!limits)
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no ceilings of a GPU: give a file that camber ceilings "
                                "--json, or camber run on a GPU, wrote",
                                document.source));
    return {*document.run()->gpu, *limits};
}

TimePredictor::TimePredictor(const ModelDevice& device, const Architecture& architecture,
                             std::vector<results::CodeTable> own, Submission submission)
    : machine_(machine_of(device.limits, architecture)), tables_(std::move(own)) {
    if (std::holds_alternative<std::string>(machine_)) return;
    if (submission == Submission::graph) machine_ = std::get<Machine>(machine_).replaying_graphs();
    std::vector<results::CodeTable> embedded;
    for (const auto& [file, text] : results::embedded_code_tables())
        embedded.push_back(results::parse_code_table(text, std::string(file)));
    complete(tables_, embedded);
    std::ranges::move(embedded, std::back_inserter(tables_));
    const std::string arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    const auto of_arch = [&](const results::CodeTable& table) { return table.arch == arch; };
    if (std::ranges::any_of(tables_, of_arch))
        std::erase_if(tables_, std::not_fn(of_arch));
    else if (!tables_.empty())
        stand_in_ = fmt::format("machine code for {} is used instead of that for {}",
                                tables_.front().arch, arch);
    per_access_ = instructions_per_access(tables_);
}

void TimePredictor::set(const ModelSettings& settings) {
    if (auto* machine = std::get_if<Machine>(&machine_)) machine->settings = settings;
}

const Kernels* TimePredictor::code_of(const Prediction& prediction) const {
    const Problem& problem = prediction.problem;
    for (const results::CodeTable& table : tables_)
        if (const auto* code = table.find(prediction.variant->info.name(),
                                          std::string(info(problem.cell).name), problem.boundary))
            return code;
    return nullptr;
}

std::variant<PredictedTime, std::string> TimePredictor::time(const Prediction& prediction) const {
    const Machine* machine = std::get_if<Machine>(&machine_);
    if (!machine) return std::get<std::string>(machine_);
    const Kernels* const code = code_of(prediction);
    auto time = code ? time_of(prediction, code, *machine, share_of_launches(prediction))
                     : typical_time(prediction, *machine);
    if (auto* predicted = std::get_if<PredictedTime>(&time); predicted && !stand_in_.empty())
        predicted->doubts.push_back(stand_in_);
    return time;
}

std::variant<PredictedTime, std::string> TimePredictor::typical_time(const Prediction& prediction,
                                                                     const Machine& machine) const {
    const auto total = per_access_.find("total");
    if (total == per_access_.end()) return "its machine code is unavailable";
    const Kernels typical = typical_code(prediction, per_access_);
    auto time = time_of(prediction, &typical, machine, share_of_launches(prediction));
    if (auto* predicted = std::get_if<PredictedTime>(&time))
        predicted->doubts.push_back(
            fmt::format("its machine code is unavailable: assuming {:.1f} instructions per access, "
                        "the average of all kernels",
                        total->second));
    return time;
}

std::variant<PredictedTime, std::string> TimePredictor::time(const Prediction& prediction,
                                                             const Kernels& code) const {
    const Machine* machine = std::get_if<Machine>(&machine_);
    if (!machine) return std::get<std::string>(machine_);
    return time_of(prediction, &code, *machine, share_of_launches(prediction));
}

std::optional<std::string> TimePredictor::why_none() const {
    if (const auto* reason = std::get_if<std::string>(&machine_)) return *reason;
    return std::nullopt;
}

std::vector<std::string> TimePredictor::notes() const {
    if (const auto reason = why_none()) return {fmt::format("No predicted times: {}.", *reason)};
    std::vector<std::string> notes;
    const Machine& machine = std::get<Machine>(machine_);
    const auto& assumed = machine.assumed;
    if (!assumed.empty()) {
        std::vector<std::pair<std::string, std::vector<std::string>>> by_source;
        for (const Machine::Assumed& figure : assumed) {
            auto found = std::ranges::find(by_source, figure.source,
                                           [](const auto& entry) { return entry.first; });
            if (found == by_source.end())
                found = by_source.insert(found, {figure.source, std::vector<std::string>()});
            found->second.push_back(figure.what);
        }
        std::string note = fmt::format("The device's file lacks {} figure{}.", assumed.size(),
                                       assumed.size() == 1 ? "" : "s");
        for (const auto& [source, figures] : by_source)
            note += fmt::format(" Assumed ({}): {}.", source, fmt::join(figures, "; "));
        notes.push_back(std::move(note));
    }
    std::vector<std::string> doubts = machine.doubts;
    if (!stand_in_.empty()) doubts.insert(doubts.begin(), stand_in_);
    if (!doubts.empty())
        notes.push_back(fmt::format("All times are uncertain: {}.", fmt::join(doubts, "; ")));
    return notes;
}

ModelDevice device_in_use(const DeviceInfo& device, bool fresh) {
    const Ceilings known = limits_of(device, fresh, [&] {
        const auto queue = open_cuda(device.index);
        return measure_ceilings(*queue, &device);
    });
    results::Document document;
    document.context = run_context({}, &device, known);
    return device_of(document);
}

std::map<const Variant*, Prediction> predictions_of(const Study& study, const DeviceLimits& limits,
                                                    const Architecture& architecture,
                                                    std::optional<double> seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    std::vector<const Variant*> possible;
    std::ranges::copy_if(study.variants, std::back_inserter(possible), [&](const Variant* variant) {
        return !reason_not_to_model(*variant, study.problem) &&
               !reason_to_skip(*variant, study.problem, study.generations, limits, study.backend);
    });
    const InitialData initial{study.workload, study.initial, nullptr};
    Predictions all([&](const Variant& variant) {
        return predict(variant, study.problem, initial, architecture);
    });
    if (seconds && !possible.empty()) {
        // If a single prediction takes too long, predicting all variants does not pay.
        try {
            all.of(*possible.front());
        } catch (const Error&) {
            // Handled as in the loop below.
        }
        if (std::chrono::duration<double>(Clock::now() - start).count() > *seconds / 4) return {};
    }
    all.begin(possible, thread_count(study.cpu_threads));
    Progress progress;
    std::map<const Variant*, Prediction> made;
    int done = 0;
    for (const Variant* variant : possible) {
        check_stop();
        const std::chrono::duration<double> age = Clock::now() - start;
        if (seconds && age.count() > *seconds) break;
        progress.show(done++, static_cast<int>(possible.size()),
                      "predicting " + variant->info.name());
        try {
            made.emplace(variant, all.of(*variant));
        } catch (const Error&) {
            // A variant without a prediction is measured, and the measurement reports the error.
        }
    }
    return made;
}

std::vector<PredictedInterval> predicted_intervals(
    const std::map<const Variant*, Prediction>& predictions, const TimePredictor& times) {
    std::vector<PredictedInterval> all;
    for (const auto& [variant, prediction] : predictions) {
        const auto time = times.time(prediction);
        if (const auto* predicted = std::get_if<PredictedTime>(&time))
            all.push_back(predicted_interval(variant->info.name(), *predicted,
                                             variant->info.shape.generations));
    }
    return all;
}

std::optional<PredictedInterval> leave_out_dominated(Study& study,
                                                     const std::vector<PredictedInterval>& all,
                                                     const std::vector<std::string>& keep) {
    const PredictedInterval* const best = best_predicted_interval(all);
    if (!best) return std::nullopt;
    const std::string baseline = baseline_name(*study.workload, registry());
    for (const Variant* variant : study.variants) {
        const std::string name = variant->info.name();
        // Globs match names with or without the workload in front.
        const std::string own = name.substr(name.find('/') + 1);
        const bool kept = name == baseline || std::ranges::any_of(keep, [&](const auto& glob) {
                              return matches_glob(glob, name) || matches_glob(glob, own);
                          });
        const auto found = std::ranges::find(all, name, &PredictedInterval::variant);
        if (kept || found == all.end()) continue;
        const PredictedInterval* const judge = best_predicted_interval(all, found->generations);
        if (judge && is_dominated(*found, *judge))
            study.left_out[variant] = why_dominated(*found, *judge);
    }
    return *best;
}

}  // namespace camber
