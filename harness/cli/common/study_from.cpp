#include "harness/cli/common/study_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/remedies.hpp"
#include "harness/cli/common/size_list.hpp"
#include "harness/cli/common/variant_choice.hpp"
#include "harness/registry/halo_exchange.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/run/case_runner.hpp"
#include "workloads/eruption.hpp"
#include "workloads/lava/tiles.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/parameter_start.hpp"

namespace camber {

namespace {

// Copies of the input, columns and rows of them.
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

// What is said of an eruption's ground makes sense.
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

Size chosen_size(const RunOptions& options, const Workload& workload, Backend backend,
                 Size fallback) {
    if (!options.size.empty()) return parse_size(options.size);
    if (!options.input.empty())
        if (const auto size = workload.input_size(options.input))
            return lava::size_of(lava::size_of(*size, {options.refinement, options.refinement}),
                                 chosen_tiles(options, workload));
    // The executor checks as much on a small board, and a thread at a time takes long for a map.
    return backend == Backend::simt ? fallback : workload.facts().usual_size.value_or(fallback);
}

// Throws where random cells are asked for, and the input leaves none.
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

Boundary chosen_boundary(const RunOptions& options, const Workload& workload) {
    const auto boundaries = workload.facts().boundaries;
    if (options.boundary.empty()) return boundaries.front();
    const Boundary boundary = boundary_named(options.boundary);
    if (std::ranges::find(boundaries, boundary) != boundaries.end()) return boundary;
    throw Error(ExitCode::usage,
                fmt::format("workload {} has no boundary '{}': choose {}", workload.name(),
                            options.boundary, name(boundaries.front())));
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

void refuse_generations(const RunOptions& options, const Workload& workload) {
    if (options.generations > 0)
        throw Error(ExitCode::usage,
                    fmt::format("with these parameters workload {} ends the run itself: leave out "
                                "--generations",
                                workload.name()));
}

// As many as were asked for, or as the workload's own rule wants.
int chosen_generations(const RunOptions& options, const Study& study, int fallback) {
    const Workload& workload = *study.workload;
    const ParameterSet& parameters = study.problem.parameters;
    const GenerationContext context{study.problem.boundary, parameters, 0,
                                    thread_count(options.threads)};
    if (const ParameterStart* start = parameter_start(workload)) {
        if (!start->ends_itself(parameters))
            return options.generations > 0 ? options.generations : fallback;
        refuse_generations(options, workload);
        return start->own_generations(start->initial_for(parameters, study.problem.cell), context);
    }
    const Eruption* eruption = workload.eruption();
    if (!eruption || !eruption->ends_itself(parameters))
        return options.generations > 0 ? options.generations : fallback;
    refuse_generations(options, workload);
    return eruption->own_generations(workload.initial(study.initial), context);
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
    // With --graph it also says how launches are recorded, which the executor can check.
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

// What a group of GPUs does not measure.
void check_group(const RunOptions& options) {
    if (options.cache != "hot" || !options.counters.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} is measured on one GPU only: leave out {} or {}",
                                options.cache != "hot" ? "--cache " + options.cache
                                                       : "--counters " + options.counters,
                                options.cache != "hot" ? "--cache" : "--counters",
                                options.group.ranks ? "--ranks" : "--gpus"));
    if (options.graph && !options.group.balance.empty())
        throw Error(ExitCode::usage,
                    fmt::format("--balance {} moves rows while the GPUs work, and a graph is "
                                "replayed as it is: leave out --graph or --balance",
                                options.group.balance));
    for (const std::string& exchange : options.group.exchanges)
        if (options.graph && exchange != "all" && !is_recordable(exchange_path_named(exchange)))
            throw Error(ExitCode::usage,
                        fmt::format("--exchange {} waits on the host, which no graph can: leave "
                                    "out --graph, or choose copies or stores",
                                    exchange));
}

struct Defaults {
    Size size;
    int generations;
};

// Large enough to leave every cache on a GPU; small enough for some ten seconds of any workload's
// variants on the executor, on two cores. All generation counts are multiples of 8, the most
// generations per launch.
Defaults defaults(Backend backend, bool quick) {
    switch (backend) {
        case Backend::cuda:
            return quick ? Defaults{{4096, 4096}, 8} : Defaults{{16384, 16384}, 16};
        case Backend::simt:
            return quick ? Defaults{{70, 50}, 8} : Defaults{{170, 130}, 8};
        case Backend::cpu:
            return quick ? Defaults{{1024, 1024}, 8} : Defaults{{4096, 4096}, 8};
    }
    return {};
}

// The initial state, and the parameters that hold from it on.
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

void divide(Study& study, const std::vector<GroupChoice>& choices) {
    std::vector<const Variant*> divided;
    for (const Variant* variant : study.variants)
        for (const GroupChoice& choice : choices) {
            study.composed.push_back(std::make_shared<Variant>(on_group(*variant, choice)));
            divided.push_back(study.composed.back().get());
        }
    study.variants = std::move(divided);
    if (study.backend == Backend::cuda) study.device = choices.front().devices.front();
}

Study study_from(const RunOptions& options) {
    const Workload& workload = workload_of(options);
    Study study;
    study.workload = &workload;
    study.backend = chosen_backend(options);
    study.device = options.device;
    study.cpu_threads = options.threads;
    const Defaults fallback = defaults(study.backend, options.quick);
    check_ground(options, workload);

    study.problem.size = chosen_size(options, workload, study.backend, fallback.size);
    study.problem.boundary = chosen_boundary(options, workload);
    study.problem.cell = cell_of(options, workload);
    choose_start(study, options);
    if (!study.problem.parameters.rule().empty())
        load_rule_kernels(workload.name(), study.problem.cell);
    std::vector<std::string> globs = options.variants;
    for (const std::string& name :
         register_candidates(options, workload, study.problem.cell, study.backend))
        globs.push_back(name);
    if (options.compositions.empty() || !globs.empty())
        study.variants = chosen_variants(globs, workload, study.backend, study.problem.cell);
    if (!options.candidates.empty()) study.launch_limit = options.timeout;
    // After those of the registry.
    study.composed =
        composed_variants(options.compositions, workload, study.backend, study.problem.cell);
    for (const auto& variant : study.composed) study.variants.push_back(variant.get());
    if (const auto choices = options.group.choices(study.backend); !choices.empty()) {
        check_group(options);
        divide(study, choices);
    }

    study.generations = chosen_generations(options, study, fallback.generations);

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
    study.conditions = chosen_conditions(options, study.backend);
    const bool several_rounds = study.backend == Backend::cuda && !options.quick;
    study.rounds = options.rounds > 0 ? options.rounds : several_rounds ? 2 : 1;
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
