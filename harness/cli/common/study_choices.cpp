#include "harness/cli/common/study_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/machine/queue/devices.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

namespace {

std::string usual_choice(const Composer::Step& step) {
    constexpr std::string_view usual = "halo/64x4/align128";
    const bool has_it = std::ranges::find(step.choices, usual) != step.choices.end();
    return has_it ? std::string(usual) : step.choices.front();
}

const Composer& composer_of(const Registry& registry, const Workload& workload, Backend backend,
                            ElementType cell) {
    bool of_workload = false;
    for (const Composer& composer : registry.composers()) {
        if (composer.workload != workload.name()) continue;
        if (composer.backend == backend && composer.cell == cell) return composer;
        of_workload = true;
    }
    if (!of_workload)
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has no steps to compose: choose one that camber list "
                                "steps shows",
                                workload.name()));
    if (backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    fmt::format("the cpu backend runs the plain reference only, which has no steps "
                                "to compose: choose --backend simt or cuda"));
    throw Error(ExitCode::unavailable,
                fmt::format("the steps of {} on {} cells are not built for the {} backend: choose "
                            "--backend simt",
                            workload.name(), info(cell).name, name(backend)));
}

// Splits `text` at each `separator`.
std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

std::size_t step_named(const Composer& composer, const std::string& wanted) {
    const auto found = std::ranges::find(composer.steps, wanted, &Composer::Step::name);
    if (found != composer.steps.end())
        return static_cast<std::size_t>(found - composer.steps.begin());
    std::vector<std::string> names;
    for (const Composer::Step& step : composer.steps) names.push_back(step.name);
    throw Error(ExitCode::usage, fmt::format("workload {} has no step '{}': choose {}",
                                             composer.workload, wanted, fmt::join(names, " or ")));
}

void check_choice(const Composer& composer, const Composer::Step& step, const std::string& choice) {
    if (std::ranges::find(step.choices, choice) != step.choices.end()) return;
    throw Error(
        ExitCode::usage,
        fmt::format("step {} of {} has no technique '{}' (camber list steps shows all){}",
                    step.name, composer.workload, choice, suggestion(choice, step.choices)));
}

// Parses one choice for each step.
std::vector<std::string> parsed(const Composer& composer, const std::string& text) {
    std::vector<std::optional<std::string>> named(composer.steps.size());
    for (const std::string& part : split(text, '+')) {
        const auto equals = part.find('=');
        if (equals == std::string::npos)
            throw Error(ExitCode::usage,
                        fmt::format("composition '{}' is not STEP=TECHNIQUE/SHAPE[+STEP=...]: "
                                    "write for example --compose {}={}",
                                    text, composer.steps.front().name,
                                    usual_choice(composer.steps.front())));
        const std::size_t index = step_named(composer, part.substr(0, equals));
        const Composer::Step& step = composer.steps[index];
        if (named[index])
            throw Error(ExitCode::usage, fmt::format("composition '{}' names step {} twice: give "
                                                     "each step one technique",
                                                     text, step.name));
        named[index] = part.substr(equals + 1);
        check_choice(composer, step, *named[index]);
    }
    std::vector<std::string> choices;
    for (std::size_t i = 0; i < named.size(); ++i)
        choices.push_back(named[i].value_or(usual_choice(composer.steps[i])));
    return choices;
}

}  // namespace

Variant composed_variant(const Registry& registry, const std::string& text,
                         const Workload& workload, Backend backend, ElementType cell) {
    const Composer& composer = composer_of(registry, workload, backend, cell);
    const std::vector<std::string> choices = parsed(composer, text);
    Variant variant = composer.compose(choices);
    // Adds the executor's form to the device's, as for registered variants, because models need it.
    for (const Composer& other : registry.composers())
        if (other.workload == composer.workload && other.cell == cell && other.backend != backend)
            variant.factories.merge(other.compose(choices).factories);
    return variant;
}

std::vector<const Variant*> chosen_variants(const std::vector<std::string>& globs,
                                            const Workload& workload, Backend backend,
                                            ElementType cell) {
    std::vector<const Variant*> candidates;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == workload.name() && variant.info.cell == cell &&
            variant.factories.contains(backend))
            candidates.push_back(&variant);
    if (candidates.empty() && backend == Backend::cuda && cuda_devices().empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("no CUDA device can be used: {}", why_no_cuda()),
                    Remedy::host_backend);
    if (candidates.empty())
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has no variant for {} cells on backend {}: camber "
                                "list variants shows which backend has one",
                                workload.name(), info(cell).name, name(backend)));
    if (globs.empty()) return candidates;

    const auto short_name = [](const Variant& variant) {
        return variant.info.name().substr(variant.info.workload.size() + 1);
    };
    std::vector<const Variant*> chosen;
    for (const std::string& glob : globs) {
        bool found = false;
        for (const Variant* variant : candidates) {
            const std::string full = variant->info.name();
            const std::string brief = short_name(*variant);
            if (!matches_glob(glob, full) && !matches_glob(glob, brief)) continue;
            found = true;
            if (std::ranges::find(chosen, variant) == chosen.end()) chosen.push_back(variant);
        }
        if (!found) {
            const std::string workload_part = fmt::format("{}/", workload.name());
            const auto brief_glob =
                glob.substr(glob.starts_with(workload_part) ? workload_part.size() : 0);
            std::vector<std::string> names;
            for (const Variant* variant : candidates) {
                names.push_back(short_name(*variant));
                names.push_back(fmt::format("{}/*", variant->info.technique.name));
            }
            throw Error(
                ExitCode::usage,
                fmt::format("no {} variant on backend {} matches '{}' (camber list "
                            "variants shows all){}",
                            workload.name(), name(backend), glob, suggestion(brief_glob, names)));
        }
    }
    return chosen;
}

std::vector<std::shared_ptr<const Variant>> composed_variants(
    const std::vector<std::string>& compositions, const Workload& workload, Backend backend,
    ElementType cell) {
    std::vector<std::shared_ptr<const Variant>> composed;
    for (const std::string& text : compositions) {
        auto variant = std::make_shared<const Variant>(
            composed_variant(registry(), text, workload, backend, cell));
        const auto same = [&](const auto& other) {
            return other->info.name() == variant->info.name();
        };
        if (std::ranges::none_of(composed, same)) composed.push_back(std::move(variant));
    }
    return composed;
}

namespace {

// Throws if options for random cells are given with an input that defines all cells.
void check_randomness(const RunOptions& options, const Workload& workload) {
    if (options.input.empty() || workload.facts().random_on_input) return;
    const std::string_view added = workload.facts().added_by_density;
    if (options.density && added.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("--density applies to a random board, and {} brings every cell: leave "
                        "out --density or --input",
                        options.input));
    if (options.seed && options.density.value_or(0) == 0)
        throw Error(
            ExitCode::usage,
            fmt::format("--seed applies to a random board, and {} brings every cell: leave out "
                        "--seed or --input{}",
                        options.input,
                        added.empty() ? "" : fmt::format(", or add {} with --density", added)));
}

// NAME=NUMBER[,NUMBER...]
ParameterSet chosen_parameters(const RunOptions& options, const Workload& workload,
                               const InitialConditions& conditions) {
    ParameterSet parameters = workload.parameters_for(conditions);
    std::set<std::string_view> given;
    for (const std::string& text : options.parameters) {
        const auto equals = text.find('=');
        std::vector<double> values;
        bool valid = equals != std::string::npos;
        for (std::size_t start = equals + 1; valid && start <= text.size();) {
            const std::size_t end = std::min(text.find(',', start), text.size());
            double value = 0;
            const auto [stop, error] =
                std::from_chars(text.data() + start, text.data() + end, value);
            valid = error == std::errc() && stop == text.data() + end && std::isfinite(value);
            values.push_back(value);
            start = end + 1;
        }
        if (!valid)
            throw Error(ExitCode::usage,
                        fmt::format("parameter '{}' is not NAME=NUMBER[,NUMBER...]: write for "
                                    "example --param sigma=1.5",
                                    text));
        const std::string_view name = std::string_view(text).substr(0, equals);
        if (!given.insert(name).second)
            throw Error(ExitCode::usage,
                        fmt::format("parameter '{}' is given twice: leave out one", name));
        parameters.set(name, std::move(values));
    }
    return parameters;
}

}  // namespace

void choose_start(Study& study, const RunOptions& options) {
    const Workload& workload = *study.workload;
    study.initial.size = study.problem.size;
    study.initial.cell = study.problem.cell;
    study.initial.options = options.workload_options;
    study.initial.seed = options.seed.value_or(1);
    study.initial.density = options.density;
    if (const double density = options.density.value_or(usual_density);
        !(density >= 0 && density <= 1))  // neither is "nan"
        throw Error(ExitCode::usage, fmt::format("density {} is no share of the cells: choose a "
                                                 "number from 0 to 1",
                                                 density));
    if (!options.input.empty()) study.initial.input = options.input;
    check_randomness(options, workload);
    if (!options.at.empty()) {
        if (options.input.empty())
            throw Error(ExitCode::usage, "--at places a pattern: give the file with --input");
        std::int64_t column = 0;
        std::int64_t row = 0;
        if (!parse_pair(options.at, ',', column, row))
            throw Error(ExitCode::usage,
                        fmt::format("place '{}' is not COLUMN,ROW: write for example --at 10,20",
                                    options.at));
        study.initial.input_at = {column, row};
    }
    study.problem.parameters = chosen_parameters(options, workload, study.initial);
    if (const ParameterStart* start = workload.capabilities().parameter_start) {
        if (!options.size.empty() && !options.parameters.empty() &&
            start->size_for(workload.parameters_for(study.initial)) !=
                start->size_for(study.problem.parameters))
            throw Error(ExitCode::usage,
                        fmt::format("--size {} and these parameters ask for different numbers of "
                                    "particles: leave out --size",
                                    options.size));
        study.problem.size = study.initial.size = start->size_for(study.problem.parameters);
    }
}

}  // namespace camber
