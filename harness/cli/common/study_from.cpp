#include "harness/cli/common/study_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/problem_options.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

// Maximum number of generations per launch of any variant.
constexpr int usual_generations = 8;

Size chosen_size(const RunOptions& options, const Workload& workload, Backend backend,
                 Size fallback) {
    // Arrays have their own shapes, which may be longer than a board's sides.
    if (named_arrays_of(workload)) return workload.facts().usual_size.value();
    if (!options.size.empty()) return parse_size(options.size);
    if (!options.input.empty())
        if (const auto size = workload.input_size(options.input, options.workload_options))
            return *size;
    // On the executor, which runs one thread at a time, a small board checks as much as a whole
    // map.
    return backend == Backend::simt ? fallback : workload.facts().usual_size.value_or(fallback);
}

Boundary chosen_boundary(const RunOptions& options, const Workload& workload) {
    const auto boundaries = workload.facts().boundaries;
    if (options.boundary.empty()) return boundaries.front();
    const Boundary boundary = boundary_named(options.boundary);
    if (std::ranges::find(boundaries, boundary) != boundaries.end()) return boundary;
    throw Error(ExitCode::usage,
                fmt::format("workload {} has no boundary '{}': choose {}", workload.name(),
                            options.boundary, name(boundaries.front())));
}

// Number of generations: as requested, or according to the workload's own rule.
int chosen_generations(const RunOptions& options, const Study& study) {
    const Workload& workload = *study.workload;
    const ParameterSet& parameters = study.problem.parameters;
    const GenerationContext context{study.problem.boundary, parameters, 0,
                                    thread_count(options.threads)};
    const SelfEnding* const own = workload.capabilities().self_ending;
    if (!own || !own->ends_itself(parameters))
        return options.generations > 0 ? options.generations : usual_generations;
    if (options.generations > 0)
        throw Error(ExitCode::usage,
                    fmt::format("with these parameters workload {} ends the run itself: leave out "
                                "--generations",
                                workload.name()));
    return own->own_generations(start_of(workload, study.initial, parameters), context);
}

std::vector<Conditions> chosen_conditions(const RunOptions& options, Backend backend) {
    std::vector<CacheState> states;
    if (options.cache == "hot" || options.cache == "both") states.push_back(CacheState::hot);
    if (options.cache == "cold" || options.cache == "both") states.push_back(CacheState::cold);
    if (states.empty())
        throw Error(ExitCode::usage, fmt::format("cache state '{}' is unknown: choose hot, cold or "
                                                 "both",
                                                 options.cache));
    const auto needs_gpu = [&](std::string_view flag) {
        if (backend != Backend::cuda)
            throw Error(ExitCode::usage,
                        fmt::format("{} needs a GPU: it means nothing on the {} backend", flag,
                                    name(backend)));
    };
    if (options.cache != "hot") needs_gpu("--cache " + options.cache);
    if (options.graph && backend == Backend::cpu)
        throw Error(ExitCode::usage,
                    "--graph replays kernels, and the cpu backend has none: choose cuda or simt");
    std::vector<Conditions> conditions;
    for (const CacheState state : states)
        conditions.push_back({state, options.graph ? Submission::graph : Submission::stream});
    return conditions;
}

bool chosen_from_start(const RunOptions& options, Backend backend) {
    if (!options.from_start) return false;
    // With --graph, --from-start also affects how launches are recorded, which the executor can
    // check.
    if (backend == Backend::simt && !options.graph)
        throw Error(ExitCode::usage,
                    "--from-start needs times, and the simt backend has none: choose cuda or cpu");
    if (options.cache != "hot")
        throw Error(ExitCode::usage,
                    fmt::format("--from-start cannot be combined with --cache {}, whose samples "
                                "are single launches: leave out one of the two",
                                options.cache));
    return true;
}

// Throws Error(usage) for measurements that groups of GPUs do not support.
void check_group(const RunOptions& options) {
    if (options.cache != "hot" || !options.counters.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} is measured on one GPU only: leave out {} or {}",
                                options.cache != "hot" ? "--cache " + options.cache
                                                       : "--counters " + options.counters,
                                options.cache != "hot" ? "--cache" : "--counters",
                                options.group.ranks ? "--ranks" : "--gpus"));
    check_graph(options);
}

// Throws Error(usage) if the lag parameter is set without --minimum lagged, because a single device
// has no other device to wait for.
void check_lag(const Study& study, const std::vector<GroupChoice>& choices) {
    const auto& all = study.problem.parameters.all();
    const auto found = all.find("lag");
    if (found == all.end() || found->second.front() == 0 ||
        (!choices.empty() && choices.front().exchange.minimum == Minimum::lagged))
        return;
    throw Error(ExitCode::usage,
                fmt::format("parameter lag = {} is what --minimum lagged sets: give that, with "
                            "--gpus or --ranks, and leave the parameter out",
                            found->second.front()));
}

// Sets the saved states of a long run. Throws Error(usage) for options that need others.
void choose_states(Study& study, const RunOptions& options) {
    study.begin = options.begin;
    study.state_folder = options.states_in;
    if (options.begin > 0 && options.group.ranks)
        throw Error(ExitCode::usage,
                    "--begin-at cannot be combined with --ranks: leave out one of the two");
    if (options.states == 0) {
        const char* const alone = !options.whole.empty() ? "--whole"
                                  : !options.states_in.empty() && options.begin == 0
                                      ? "--states-in"
                                  : options.reference_generations > 0 ? "--reference-generations"
                                                                       : nullptr;
        if (!alone) return;
        throw Error(ExitCode::usage,
                    fmt::format("{} is for runs with saved states: add --states 12, or leave it out",
                                alone));
    }
    if (study.workload->capabilities().parameter_start)
        throw Error(ExitCode::usage,
                    fmt::format("--states sums runs of lava, and {} has particles: leave it out; "
                                "--begin-at begins with a saved state",
                                study.workload->name()));
    if (!study.from_start)
        throw Error(ExitCode::usage,
                    "--states stands for a whole run from the start: add --from-start");
    const std::pair<const char*, bool> others[] = {{"--intervals", options.intervals > 0},
                                                   {"--save", !options.save.empty()},
                                                   {"--ranks", options.group.ranks}};
    for (const auto& [option, given] : others)
        if (given)
            throw Error(ExitCode::usage,
                        fmt::format("--states cannot be combined with {}: leave out one of the two",
                                    option));
    if (options.reference_generations > study.generations)
        throw Error(ExitCode::usage,
                    fmt::format("--reference-generations {} are more than the run has, {}: give "
                                "fewer, or more --generations",
                                options.reference_generations, study.generations));
    study.states = options.states;
    study.reference_generations = options.reference_generations;
    for (const std::string& glob : options.whole) {
        const std::size_t before = study.whole.size();
        for (const Variant* variant : study.variants) {
            const std::string name = variant->info.name();
            const std::string_view rest = std::string_view(name).substr(name.find('/') + 1);
            if ((matches_glob(glob, name) || matches_glob(glob, rest)) &&
                !study.is_whole(*variant))
                study.whole.push_back(variant);
        }
        if (study.whole.size() == before)
            throw Error(ExitCode::usage,
                        fmt::format("--whole {} names none of the chosen variants: give one of "
                                    "them, such as {}",
                                    glob, study.variants.front()->info.name()));
    }
}

// Exceeds every cache on a GPU; on the executor, any workload's variants take about ten seconds on
// two cores.
Size usual_size(Backend backend, bool quick) {
    switch (backend) {
        case Backend::cuda:
            return quick ? Size{4096, 4096} : Size{16384, 16384};
        case Backend::simt:
            return quick ? Size{70, 50} : Size{170, 130};
        case Backend::cpu:
            return quick ? Size{1024, 1024} : Size{4096, 4096};
    }
    return {};
}

}  // namespace

const Workload& workload_of(const RunOptions& options) {
    if (const Workload* workload = find_workload(options.workload)) {
        load_kernels(workload->name(), cell_of(options, *workload));
        return *workload;
    }
    std::vector<std::string> names;
    for (const auto& workload : workloads()) names.emplace_back(workload->name());
    throw Error(ExitCode::usage, fmt::format("workload '{}' is unknown: choose {}",
                                             options.workload, fmt::join(names, " or ")));
}

ElementType cell_of(const RunOptions& options, const Workload& workload) {
    const auto types = workload.facts().cell_types;
    if (options.cell.empty()) return types.front();
    std::vector<std::string_view> names;
    for (const ElementType type : types) {
        if (info(type).name == options.cell) return type;
        names.push_back(info(type).name);
    }
    throw Error(ExitCode::usage,
                fmt::format("workload {} has no {} cells: choose {}", workload.name(), options.cell,
                            fmt::join(names, " or ")));
}

Backend chosen_backend(const RunOptions& options) {
    if (options.backend != "auto") return backend_named(options.backend);
    return cuda_devices().empty() ? Backend::simt : Backend::cuda;
}

Study study_from(const RunOptions& options) {
    const Workload& workload = workload_of(options);
    Study study;
    study.workload = &workload;
    study.backend = chosen_backend(options);
    study.device = options.device;
    study.cpu_threads = options.threads;
    check_workload_options(workload, options.workload_options);

    study.problem.size =
        chosen_size(options, workload, study.backend, usual_size(study.backend, options.quick));
    study.problem.boundary = chosen_boundary(options, workload);
    study.problem.cell = cell_of(options, workload);
    choose_start(study, options);
    if (!study.problem.parameters.rule().empty())
        load_rule_kernels(workload.name(), study.problem.cell);
    std::vector<std::string> globs = options.variants;
    for (const std::string& name :
         user_variants(options, workload, study.problem.cell, study.backend))
        globs.push_back(name);
    if (options.compositions.empty() || !globs.empty())
        study.variants = chosen_variants(globs, workload, study.backend, study.problem.cell);
    if (!options.candidates.empty()) study.launch_limit = options.timeout;
    // Composed variants follow those of the registry.
    study.composed =
        composed_variants(options.compositions, workload, study.backend, study.problem.cell);
    for (const auto& variant : study.composed) study.variants.push_back(variant.get());
    const auto choices = options.group.choices(study.backend);
    check_lag(study, choices);
    if (!choices.empty()) {
        check_group(options);
        choose_slices(study, options.group);
        divide(study, choices);
    }

    study.generations = chosen_generations(options, study);

    study.traced = !options.trace.empty();
    study.counters = options.counters;
    if (!options.counters.empty() && study.backend != Backend::cuda)
        throw Error(
            ExitCode::usage,
            fmt::format("--counters {} needs a GPU: the {} backend has no hardware counters",
                        options.counters, name(study.backend)));
    study.fresh_limits = options.ceilings == "fresh";
    study.saves = !options.save.empty();
    study.sentence = sentence;
    study.time = study.backend != Backend::simt;
    study.from_start = chosen_from_start(options, study.backend);
    study.intervals = options.intervals;
    if (study.intervals > 0 && (options.graph || options.cache != "hot"))
        throw Error(ExitCode::usage,
                    fmt::format("--intervals times launches in a row: leave it out, or {}",
                                options.graph ? "--graph" : "--cache " + options.cache));
    if (study.intervals > study.generations)
        throw Error(ExitCode::usage,
                    fmt::format("--intervals {} are more than the run has generations, {}: give "
                                "fewer, or more --generations",
                                study.intervals, study.generations));
    choose_states(study, options);
    study.conditions = chosen_conditions(options, study.backend);
    const bool several_rounds = study.backend == Backend::cuda && !options.quick;
    study.rounds = options.rounds > 0 ? options.rounds
                   : several_rounds && study.states == 0 ? 2 : 1;
    if (!study.time) study.rounds = 1;
    study.seconds_per_sample = options.sample_seconds;
    study.process = std::max(0, options.process_index);
    study.order_seed = options.order_seed.value_or(1);
    if (options.quick) study.sampling.budget_seconds = 0.1;
    return study;
}

std::vector<Study> studies_from(const RunOptions& options) {
    std::vector<Study> studies;
    RunOptions single = options;
    for (const std::string& size : sizes_in(options.size)) {
        single.size = size;
        studies.push_back(study_from(single));
    }
    return studies;
}

}  // namespace camber
