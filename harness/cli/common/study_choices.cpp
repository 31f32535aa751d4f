#include "harness/cli/common/study_choices.hpp"

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
#include "harness/base/text.hpp"
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
    const bool adds = workload.eruption() && options.density.value_or(0) > 0;
    if (options.density && !workload.eruption())
        throw Error(
            ExitCode::usage,
            fmt::format("--density applies to a random board, and {} brings every cell: leave "
                        "out --density or --input",
                        options.input));
    if (options.seed && !adds)
        throw Error(
            ExitCode::usage,
            fmt::format("--seed applies to a random board, and {} brings every cell: leave out "
                        "--seed or --input{}",
                        options.input, workload.eruption() ? ", or add lava with --density" : ""));
}

// NAME=NUMBER[,NUMBER...]
ParameterSet chosen_parameters(const RunOptions& options, const Workload& workload,
                               const InitialConditions& conditions) {
    if (!conditions.rule.empty() && workload.facts().usual_rule.empty())
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has one rule, and --rule {} chooses another: leave it "
                                "out",
                                workload.name(), conditions.rule));
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

Size chosen_tiles(const RunOptions& options, const Workload& workload) {
    constexpr std::int64_t most = 1 << 15;
    if (options.tiles.empty()) return {1, 1};
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(options.tiles, 'x', columns, rows) || columns < 1 || rows < 1 ||
        columns > most || rows > most)
        throw Error(ExitCode::usage,
                    fmt::format("--tile {} is not COLUMNSxROWS: write for example --tile 8x11",
                                options.tiles));
    if (!workload.eruption() || options.input.empty())
        throw Error(
            ExitCode::usage,
            "--tile repeats an eruption's ground: give an eruption's folder with --input and "
            "a workload of lava");
    if (!options.save.empty())
        throw Error(ExitCode::usage,
                    "--save cannot write a board that --tile has repeated: leave out one of the "
                    "two");
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

void check_ground(const RunOptions& options, const Workload& workload) {
    const bool input = !options.input.empty();
    if (options.refinement > 1 && (!workload.eruption() || !input))
        throw Error(ExitCode::usage,
                    "--refine divides the cells of an eruption: give its folder with --input and a "
                    "workload of lava");
    if (options.ground.empty()) return;
    if (!workload.eruption())
        throw Error(ExitCode::usage,
                    fmt::format("--ground applies to lava, and workload {} has none: leave it out",
                                workload.name()));
    if (input)
        throw Error(
            ExitCode::usage,
            fmt::format("--ground applies to a run without files, and {} brings its ground: "
                        "leave out one of the two",
                        options.input));
}

void choose_start(Study& study, const RunOptions& options) {
    const Workload& workload = *study.workload;
    study.initial.size = study.problem.size;
    study.initial.cell = study.problem.cell;
    study.initial.rule = options.rule;
    study.initial.seed = options.seed.value_or(1);
    study.initial.refinement = options.refinement;
    study.initial.ground = options.ground == "plane" ? Ground::plane : Ground::volcano;
    study.initial.density =
        options.density.value_or(study.initial.ground == Ground::plane ? 0 : 0.5);
    if (!(study.initial.density >= 0 && study.initial.density <= 1))  // neither is "nan"
        throw Error(ExitCode::usage, fmt::format("density {} is no share of the cells: choose a "
                                                 "number from 0 to 1",
                                                 study.initial.density));
    if (!options.input.empty()) study.initial.input = options.input;
    check_randomness(options, workload);
    study.initial.tiles = chosen_tiles(options, workload);
    if (study.initial.input && workload.eruption())
        study.initial.added_density = options.density.value_or(0);
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
    if (const ParameterStart* start = parameter_start(workload)) {
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
