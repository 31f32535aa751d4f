#include "harness/cli/model/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "analysis/time/reason.hpp"
#include "harness/base/error.hpp"
#include "harness/model/time.hpp"

namespace camber {

namespace {

using Kernels = std::vector<results::Kernel>;

// Files of older versions do not tell which instructions branches may skip.
bool knows_skippable(const Kernels& code) {
    return std::ranges::all_of(code, [](const results::Kernel& kernel) {
        return kernel.instructions.contains("skippable");
    });
}

bool same_text(const Kernels& a, const Kernels& b) {
    return std::ranges::equal(a, b, [](const results::Kernel& x, const results::Kernel& y) {
        auto known = y.instructions;
        if (!x.instructions.contains("skippable")) known.erase("skippable");
        // Classes without instructions are left out of some files.
        const auto counts = [](const std::map<std::string, std::int64_t>& all) {
            std::map<std::string, std::int64_t> some;
            for (const auto& [name, count] : all)
                if (count > 0) some[name] = count;
            return some;
        };
        return counts(x.instructions) == counts(known);
    });
}

}  // namespace

ModelDevice device_of(const results::Document& document) {
    const auto limits = hardware_limits(document);
    if (!limits)
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no limits of a GPU: give a file that camber ceilings "
                                "--json, or camber run on a GPU, wrote",
                                document.source));
    return {*document.run()->gpu, *limits};
}

TimePredictor::TimePredictor(const ModelDevice& device, const Architecture& architecture,
                             const results::Document* measured)
    : machine_(machine_of(device.limits, architecture)) {
    if (std::holds_alternative<std::string>(machine_)) return;
    if (measured) tables_.push_back(results::CodeTable::of(*measured));
    for (const auto& [file, text] : results::embedded_code_tables())
        tables_.push_back(results::parse_code_table(text, std::string(file)));
    const std::string arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    const auto of_arch = [&](const results::CodeTable& table) { return table.arch == arch; };
    if (std::ranges::any_of(tables_, of_arch))
        std::erase_if(tables_, std::not_fn(of_arch));
    else if (!tables_.empty())
        stand_in_ = fmt::format("machine code for {} stands in for that for {}",
                                tables_.front().arch, arch);
}

const std::vector<results::Kernel>* TimePredictor::code_of(const ModelledVariant& model) const {
    const Problem& problem = model.prediction.problem;
    const std::vector<results::Kernel>* first = nullptr;
    for (const results::CodeTable& table : tables_) {
        const auto* code = table.find(model.prediction.variant->info.name(),
                                      std::string(info(problem.cell).name), problem.boundary);
        if (!code) continue;
        if (!first) first = code;
        if (knows_skippable(*code) && same_text(*first, *code)) return code;
    }
    return first;
}

void TimePredictor::predict(ModelledVariant& model) const {
    const Machine* machine = std::get_if<Machine>(&machine_);
    if (!machine) {
        model.no_time = std::get<std::string>(machine_);
        return;
    }
    auto time = time_of(model.prediction, code_of(model), *machine);
    if (const auto* reason = std::get_if<std::string>(&time)) {
        model.no_time = *reason;
        return;
    }
    model.time = std::get<PredictedTime>(std::move(time));
    if (!stand_in_.empty()) model.time->doubts.push_back(stand_in_);
}

std::vector<std::string> TimePredictor::notes() const {
    if (const auto* reason = std::get_if<std::string>(&machine_))
        return {fmt::format("No times are predicted: {}.", *reason)};
    std::vector<std::string> notes;
    const auto& assumed = std::get<Machine>(machine_).assumed;
    if (!assumed.empty()) {
        std::string note = "The device's file lacks some figures, for which these stand in:";
        for (const Machine::Assumed& figure : assumed)
            note += fmt::format("\n  {:<25} {:>5.1f} {}  {}", figure.what, figure.cycles,
                                figure.unit, figure.source);
        notes.push_back(std::move(note));
    }
    if (!stand_in_.empty()) notes.push_back(fmt::format("All times are uncertain: {}.", stand_in_));
    return notes;
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

}  // namespace camber
