#include "harness/cli/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/composition.hpp"
#include "harness/run/case_runner.hpp"
#include "workloads/lava/tiles.hpp"

namespace camber {

namespace {

// Two whole numbers around `separator`, and nothing else.
bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second) {
    const auto middle = text.find(separator);
    if (middle == std::string_view::npos) return false;
    const auto number = [](std::string_view digits, std::int64_t& value) {
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    return number(text.substr(0, middle), first) && number(text.substr(middle + 1), second);
}

Size parse_size(const std::string& text) {
    constexpr std::int64_t longest = 1 << 25;  // a tile of rows so long still has 32-bit offsets
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(text, 'x', columns, rows))
        throw Error(
            ExitCode::usage,
            fmt::format("size '{}' is not COLUMNSxROWS: write for example 1600x1200", text));
    if (columns < 1 || rows < 1 || columns > longest || rows > longest)
        throw Error(ExitCode::usage,
                    fmt::format("size {} is impossible: columns and rows must be between 1 and {}",
                                text, longest));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

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
    if (!workload.takes_tiles() || options.input.empty())
        throw Error(ExitCode::usage,
                    "--tile lays an eruption's folder side by side: give one with --input, for a "
                    "workload of lava");
    if (!options.save.empty())
        throw Error(ExitCode::usage,
                    "--save writes one eruption's folder and --tile makes several of it: leave out "
                    "one of the two");
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

const Workload& chosen_workload(const RunOptions& options) {
    if (const Workload* workload = find_workload(options.workload)) return *workload;
    std::vector<std::string> names;
    for (const auto& workload : workloads()) names.emplace_back(workload->name());
    throw Error(ExitCode::usage, fmt::format("workload '{}' is unknown: choose {}",
                                             options.workload, fmt::join(names, " or ")));
}

Backend chosen_backend(const RunOptions& options) {
    if (options.backend != "auto") return backend_named(options.backend);
    return cuda_devices().empty() ? Backend::simt : Backend::cuda;
}

ElementType chosen_cell(const RunOptions& options, const Workload& workload) {
    const auto types = workload.cell_types();
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

Size chosen_size(const RunOptions& options, const Workload& workload, Backend backend,
                 Size fallback) {
    if (!options.size.empty()) return parse_size(options.size);
    if (!options.input.empty())
        if (const auto size = workload.input_size(options.input))
            return lava::size_of(*size, chosen_tiles(options, workload));
    // The executor checks as much on a small board, and a thread at a time takes long for a map.
    return backend == Backend::simt ? fallback : workload.usual_size().value_or(fallback);
}

Boundary chosen_boundary(const RunOptions& options, const Workload& workload) {
    const auto boundaries = workload.boundaries();
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
    ParameterSet parameters = workload.parameters_for(conditions);
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
        parameters.set(std::string_view(text).substr(0, equals), std::move(values));
    }
    return parameters;
}

// As many as were asked for, or as the workload's own rule wants.
int chosen_generations(const RunOptions& options, const Study& study, int fallback) {
    if (!study.workload->ends_itself(study.problem.parameters))
        return options.generations > 0 ? options.generations : fallback;
    if (options.generations > 0)
        throw Error(ExitCode::usage,
                    fmt::format("the parameters let workload {} end the run itself: leave out "
                                "--generations",
                                study.workload->name()));
    return study.workload->own_generations(
        study.workload->initial(study.initial),
        {study.problem.boundary, study.problem.parameters, 0, thread_count(options.threads)});
}

// The workload's variants for one backend and cell type whose name, with or without the workload in
// front, matches one of the globs.
std::vector<const Variant*> chosen_variants(const RunOptions& options, const Workload& workload,
                                            Backend backend, ElementType cell) {
    std::vector<const Variant*> candidates;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == workload.name() && variant.info.cell == cell &&
            variant.factories.contains(backend))
            candidates.push_back(&variant);
    if (candidates.empty())
        throw Error(ExitCode::usage,
                    fmt::format("workload {} has no variant for {} cells on backend {}: camber "
                                "list variants shows which backend has one",
                                workload.name(), info(cell).name, name(backend)));
    if (options.variants.empty()) return candidates;

    const auto short_name = [](const Variant& variant) {
        return variant.info.name().substr(variant.info.workload.size() + 1);
    };
    std::vector<const Variant*> chosen;
    for (const std::string& glob : options.variants) {
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
                names.push_back(variant->info.technique + "/*");
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

// Each composition once, after the variants of the registry.
void add_compositions(const RunOptions& options, Study& study) {
    for (const std::string& text : options.compositions) {
        auto variant = std::make_shared<const Variant>(
            composed_variant(registry(), text, *study.workload, study.backend, study.problem.cell));
        const auto same = [&](const auto& other) {
            return other->info.name() == variant->info.name();
        };
        if (std::ranges::any_of(study.composed, same)) continue;
        study.variants.push_back(variant.get());
        study.composed.push_back(std::move(variant));
    }
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

// An unset shell variable must not pass for an option that was not given.
std::string not_empty(const std::string& text) {
    return text.empty() ? "the value is empty" : "";
}

}  // namespace

void RunOptions::add_problem_to(CLI::App& command) {
    command.add_option("--workload", workload, "What is computed")->capture_default_str();
    command
        .add_option("--size", size,
                    "Board as COLUMNSxROWS (default: the input file's; 170x130 on simt; the "
                    "workload's own, or 16384x16384 on cuda and 4096x4096 on cpu; smaller with "
                    "--quick)")
        ->check(not_empty);
    command
        .add_option("--generations", generations,
                    "Generations of the verified run (default: 16 on cuda, else 8)")
        ->check(CLI::Range(1, 1 << 30));
    command
        .add_option("--boundary", boundary,
                    "Beyond the edge: dead (the workload's outside value) or torus (default: dead)")
        ->check(not_empty);
    command.add_option("--cell", cell, "Element type of a cell (life: uint32 or uint8)")
        ->check(not_empty);
    command
        .add_option(
            "--input,--pattern", input,
            "Start from a file, not from generated cells (life: RLE; blur: PGM or PNG; "
            "surface_water and water_flow: ESRI ASCII grid; sciara_fv2, sciara_fv3 and magflow: an "
            "eruption's folder)")
        ->check(not_empty);
    command
        .add_option("--param", parameters,
                    "A parameter of the workload as NAME=NUMBER[,NUMBER...]; repeatable; camber "
                    "list workloads names them")
        ->check(not_empty);
    command
        .add_option("--at", at,
                    "Place of the pattern's upper left corner as COLUMN,ROW "
                    "(default: centred)")
        ->check(not_empty);
    command.add_option("--seed", seed, "Seed of the random board")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command.add_option("--density", density,
                       "Share of live cells of the random board, 0 to 1 (default: 0.5); with an "
                       "eruption's folder, of cells to which lava is added (default: 0)");
    command
        .add_option("--tile", tiles,
                    "An eruption's folder so many times side by side, as COLUMNSxROWS, every copy "
                    "the mirror image of its neighbours: a larger board of the same ground")
        ->check(not_empty);
    command.add_option("--device", device, "CUDA device by index")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
}

void RunOptions::add_compositions_to(CLI::App& command) {
    command
        .add_option("--compose", compositions,
                    "Also a variant whose steps have these techniques, as "
                    "STEP=TECHNIQUE/SHAPE[+STEP=...], the others halo/64x4/align128; repeatable; "
                    "alone if no variant is named; camber list steps shows all")
        ->allow_extra_args(false)
        ->check(not_empty);
}

void RunOptions::add_to(CLI::App& command) {
    add_problem_to(command);
    add_compositions_to(command);
    command.add_option("--variant", variants,
                       "Variants by name; globs such as 'shared_tile/*' or '*64x4*'; repeatable");
    command
        .add_option("--backend", backend,
                    "auto, cuda, simt or cpu; auto takes cuda where a device is usable, else simt")
        ->capture_default_str();
    command.add_option("--threads", threads, "CPU threads of the host's work (default: all)")
        ->check(CLI::Range(1, 4096));
    command.add_option("--out", out, "Results file")->capture_default_str()->take_last();
    command
        .add_option("--cache", cache,
                    "L2 when a timed launch begins: hot (as the launch before left it), cold "
                    "(emptied), or both")
        ->capture_default_str();
    command.add_flag("--graph", graph,
                     "Replay launches as a CUDA graph; with --from-start the whole run, as several "
                     "graphs one after another");
    command.add_flag("--from-start", from_start,
                     "Every sample starts from the initial state and takes all --generations; for "
                     "models whose cost changes as they evolve");
    command
        .add_option("--sample-seconds", sample_seconds,
                    "Launches in a row that make one sample take at least so long")
        ->capture_default_str()
        ->check(CLI::Range(1e-6, 60.0));
    command
        .add_option("--rounds", rounds,
                    "How often every case is visited, each time in another order (default: 2 on "
                    "cuda, else 1)")
        ->check(CLI::Range(1, 1000));
    command
        .add_option("--processes", processes,
                    "Repeat the whole measurement in so many fresh processes")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->take_last();
    command
        .add_option("--order-seed", order_seed,
                    "Seed of the order of the cases (default: a new one, which is recorded)")
        ->take_last();
    // How a process learns that it is one of several.
    command.add_option("--process-index", process_index)->group("");
    command
        .add_option("--save", save,
                    "Write the final board (life: RLE; sciara_fv2, sciara_fv3 and magflow: a "
                    "folder of ESRI "
                    "ASCII grids)")
        ->check(not_empty);
    command.add_option("--counters", counters,
                       "Hardware counters to read with every case, on cuda: sets (memory, shared, "
                       "compute, all) and metric names, separated by commas; see camber counters");
    command.add_flag("--quick", quick, "Smaller board, fewer samples");
}

Study study_from(const RunOptions& options) {
    const Workload& workload = chosen_workload(options);
    Study study;
    study.workload = &workload;
    study.backend = chosen_backend(options);
    study.device = options.device;
    study.cpu_threads = options.threads;
    const Defaults fallback = defaults(study.backend, options.quick);

    study.problem.size = chosen_size(options, workload, study.backend, fallback.size);
    study.problem.boundary = chosen_boundary(options, workload);
    study.problem.cell = chosen_cell(options, workload);
    if (options.compositions.empty() || !options.variants.empty())
        study.variants = chosen_variants(options, workload, study.backend, study.problem.cell);
    add_compositions(options, study);

    study.initial.size = study.problem.size;
    study.initial.cell = study.problem.cell;
    study.initial.seed = options.seed;
    study.initial.density = options.density.value_or(0.5);
    if (!(study.initial.density >= 0 && study.initial.density <= 1))  // neither is "nan"
        throw Error(ExitCode::usage, fmt::format("density {} is no share of the cells: choose a "
                                                 "number from 0 to 1",
                                                 study.initial.density));
    if (!options.input.empty()) study.initial.input = options.input;
    study.initial.tiles = chosen_tiles(options, workload);
    if (study.initial.input && workload.takes_tiles())
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
    study.generations = chosen_generations(options, study, fallback.generations);

    study.counters = options.counters;
    if (!options.counters.empty() && study.backend != Backend::cuda)
        throw Error(
            ExitCode::usage,
            fmt::format("--counters {} needs a GPU: the {} backend has no hardware counters",
                        options.counters, name(study.backend)));
    study.time = study.backend != Backend::simt;
    study.from_start = chosen_from_start(options, study.backend);
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

}  // namespace camber
