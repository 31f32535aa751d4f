#include "harness/cli/common/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

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

// The parts of `text` between `separator`s.
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

// One choice of each step.
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
    // The executor's form beside the device's, as registered variants have both: models need it.
    for (const Composer& other : registry.composers())
        if (other.workload == composer.workload && other.cell == cell && other.backend != backend)
            variant.factories.merge(other.compose(choices).factories);
    return variant;
}

}  // namespace camber
