#include "harness/cli/common/run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

#include "analysis/time/ranking.hpp"
#include "harness/cli/common/option_values.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

// An option that takes one value each time.
void repeatable(CLI::App& command, const char* names, std::vector<std::string>& values,
                const char* type, const char* help) {
    command.add_option(names, values, help)
        ->type_name(type)
        ->allow_extra_args(false)
        ->check(not_empty);
}

}  // namespace

void RunOptions::add_problem_to(CLI::App& command, const std::vector<std::string>& command_line) {
    const Workload* const named = find_workload(named_workload(command_line, workload));
    const WorkloadFacts& facts = (named ? named : find_workload(workload))->facts();
    std::vector<std::string_view> cells;
    for (const ElementType type : facts.cell_types) cells.push_back(info(type).name);
    OptionGroups groups(command);
    groups.common(problem_group);
    command
        .add_option("--workload", workload,
                    "Workload (see camber list); --workload NAME --help shows its own options")
        ->capture_default_str();
    command
        .add_option("--size", size,
                    "Board as COLUMNSxROWS; camber run accepts several: 64x64,256x256, or "
                    "64x64..1024x1024, which doubles the sides (default: size of the input file; "
                    "170x130 on simt; else the workload's usual size, or 16384x16384 on cuda and "
                    "4096x4096 on cpu; smaller with --quick)")
        ->check(not_empty);
    command
        .add_option("--generations", generations, "Generations of the verified run (default: 8)")
        ->check(CLI::Range(1, 1 << 30));
    command
        .add_option(
            "--boundary", boundary,
            "Cells beyond the edge: dead (the workload's outside value) or torus (default: dead)")
        ->check(not_empty);
    command
        .add_option(
            "--cell", cell,
            fmt::format("Cell type: {} (default: {})", fmt::join(cells, ", "), cells.front()))
        ->check(not_empty);
    command
        .add_option("--input,--pattern", input,
                    fmt::format("Read the initial state from a file ({})", facts.file_format))
        ->check(not_empty);
    add_parameters_to(command);
    groups.rare(problem_group);
    command
        .add_option("--at", at,
                    "Position of the pattern's upper left corner as COLUMN,ROW (default: centered)")
        ->check(not_empty);
    add_seed_to(command);
    command.add_option(
        "--density", density,
        fmt::format("Fraction of live cells of the random board, 0 to 1 (default: {}){}",
                    usual_density,
                    facts.added_by_density.empty()
                        ? ""
                        : fmt::format("; with --input: of cells to which {} is added (default: 0)",
                                      facts.added_by_density)));
    command.add_option("--device", device, "CUDA device by index")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    if (named) add_workload_options(command, *named, workload_options);
}

void RunOptions::add_cell_to(CLI::App& command, int min_bits) {
    std::string choices;
    for (const auto& workload : workloads()) {
        std::vector<std::string_view> cells;
        for (const ElementType type : workload->facts().cell_types)
            if (info(type).stored_bits >= min_bits) cells.push_back(info(type).name);
        if (cells.size() > 1)
            choices += fmt::format("{}{}: {}", choices.empty() ? "" : "; ", workload->name(),
                                   fmt::join(cells, ", "));
    }
    command
        .add_option(
            "--cell", cell,
            fmt::format("Cell type, for workloads with several ({}; default: the first)", choices))
        ->check(not_empty);
}

bool names_file(const std::string& ceilings) {
    return ceilings != "kept" && ceilings != "fresh";
}

std::vector<std::string> words_of(const RunOptions& options) {
    const RunOptions usual;
    std::vector<std::string> words;
    const auto add = [&](const std::string& name, const std::string& value,
                         const std::string& if_not) {
        if (value != if_not) words.insert(words.end(), {name, value});
    };
    const auto number = [&](const char* name, auto value, auto if_not) {
        if (value != if_not) add(name, fmt::format("{}", value), "");
    };
    const auto flag = [&](const char* name, bool value) {
        if (value) words.emplace_back(name);
    };
    add("--workload", options.workload, usual.workload);
    add("--backend", options.backend, usual.backend);
    add("--cell", options.cell, "");
    for (const auto& [option, value] : options.workload_options) add("--" + option, value, "");
    add("--size", options.size, "");
    add("--boundary", options.boundary, "");
    add("--input", options.input, "");
    add("--at", options.at, "");
    if (options.seed) number("--seed", *options.seed, std::uint64_t{0} - 1);
    if (options.density) number("--density", *options.density, -1.0);
    for (const std::string& parameter : options.parameters) add("--param", parameter, "");
    number("--generations", options.generations, 0);
    flag("--from-start", options.from_start);
    number("--intervals", options.intervals, 0);
    number("--begin-at", options.begin, 0);
    number("--states", options.states, 0);
    add("--states-in", options.states_in, "");
    for (const std::string& glob : options.whole) add("--whole", glob, "");
    number("--reference-generations", options.reference_generations, 0);
    flag("--graph", options.graph);
    add("--cache", options.cache, usual.cache);
    add("--counters", options.counters, "");
    number("--rounds", options.rounds, 0);
    number("--processes", options.processes, 1);
    number("--threads", options.threads, 0);
    number("--device", options.device, 0);
    number("--sample-seconds", options.sample_seconds, usual.sample_seconds);
    add("--ceilings", options.ceilings, usual.ceilings);
    flag("--quick", options.quick);
    flag("--leave-out-hopeless", options.leave_out_dominated);
    for (const std::string& glob : options.keep) add("--keep", glob, "");
    for (std::string& word : options.group.words()) words.push_back(std::move(word));
    for (const std::string& glob : options.variants) add("--variant", glob, "");
    for (const std::string& composition : options.compositions) add("--compose", composition, "");
    for (const std::string& file : options.candidates) add("--candidate", file, "");
    for (const std::string& sweep : options.sweeps) add("--sweep", sweep, "");
    for (const std::string& setting : options.settings) add("--set", setting, "");
    for (const std::string& macro : options.definitions) add("--define", macro, "");
    for (const std::string& folder : options.include_folders) add("--include", folder, "");
    number("--timeout", options.timeout, usual.timeout);
    return words;
}

void RunOptions::add_seed_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(problem_group);
    command.add_option("--seed", seed, "Seed of the random board")
        ->default_str("1")
        ->check(is_seed);
}

void RunOptions::add_rule_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(problem_group);
    command
        .add_option_function<std::string>(
            "--rule", [this](const std::string& rule) { workload_options["rule"] = rule; },
            "Rule, for workloads that support a family of rules (default: the workload's usual "
            "rule); see camber list workloads")
        ->check(not_empty);
}

void RunOptions::add_parameters_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(problem_group);
    command
        .add_option("--param", parameters,
                    "Workload parameter as NAME=NUMBER[,NUMBER...]; repeatable; camber list "
                    "workloads lists them")
        ->check(not_empty);
}

void RunOptions::add_compositions_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(variant_group);
    repeatable(command, "--compose", compositions, "TEXT",
               "Add a variant composed of one technique per step: "
               "STEP=TECHNIQUE/SHAPE[+STEP=...]; other steps use halo/64x4/align128; without "
               "--variant, only composed variants run; repeatable; see camber list steps");
}

void RunOptions::add_candidates_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.common(variant_group);
    repeatable(command, "--candidate", candidates, "FILE",
               "A kernel of your own: a file of CUDA C++, a folder of them, a technique "
               "(NAME.hpp) or a library (NAME.so), see camber try --help; without --variant "
               "nothing else runs; repeatable");
    add_sweeps_to(command);
    add_settings_to(command);
    add_timeout_to(command);
}

void RunOptions::add_sweeps_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(variant_group);
    repeatable(command, "--sweep", sweeps, "NAME=VALUE,...",
               "Build candidates with each of these values of a macro, or of a key of the "
               "camber: line, such as block=32x4,64x4; if repeated, with all combinations");
}

void RunOptions::add_settings_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(variant_group);
    repeatable(command, "--set", settings, "NAME=VALUE",
               "Set a key of the candidates' camber: lines or a macro, such as block=64x4 or "
               "out=zeros; repeatable");
    repeatable(command, "-D,--define", definitions, "NAME=VALUE",
               "Define a macro when candidates are compiled, as NAME or NAME=VALUE; repeatable");
    repeatable(command, "-I,--include", include_folders, "FOLDER",
               "Look for the headers and sources that candidates include in this folder as "
               "well; repeatable");
}

void RunOptions::add_timeout_to(CLI::App& command) {
    OptionGroups groups(command);
    groups.rare(variant_group);
    command
        .add_option("--timeout", timeout,
                    "Seconds after which a candidate counts as an endless loop: in its static "
                    "initializers, per block on the CPU, per launch on a GPU; if given, also for "
                    "its compiler, but 10 s at least")
        ->capture_default_str()
        ->check(is_within(0.01, 1e6));
}

void RunOptions::add_to(CLI::App& command, const std::vector<std::string>& command_line) {
    OptionGroups groups(command);
    add_problem_to(command, command_line);
    add_compositions_to(command);
    add_candidates_to(command);
    groups.common(variant_group);
    command.add_option("--variant", variants,
                       "Variants by name, or globs such as 'shared_tile/*' or '*64x4*'; repeatable "
                       "(default: all)");
    groups.common(problem_group);
    command
        .add_option("--backend", backend,
                    "cuda (GPU), simt (kernels on the CPU, to verify them), cpu (the reference) or "
                    "auto (cuda if a GPU is usable, else simt)")
        ->capture_default_str();
    groups.rare(problem_group);
    command.add_option("--threads", threads, "Number of CPU threads (default: all)")
        ->check(CLI::Range(1, 4096));
    groups.common(measurement_group);
    command
        .add_option("--cache", cache,
                    "State of L2 before a timed launch: hot (as the previous launch left it), cold "
                    "(flushed) or both")
        ->capture_default_str();
    command.add_flag(
        "--graph", graph,
        "Replay launches as a CUDA graph; with --from-start, the whole run as several graphs");
    command.add_flag("--from-start", from_start,
                     "Start every sample from the initial state and compute all --generations; for "
                     "models whose cost changes as they evolve");
    groups.rare(measurement_group);
    command
        .add_option("--intervals", intervals,
                    "Also time the run in N equal intervals of generations, each with its own "
                    "samples; on cuda with the time share of each kernel")
        ->check(CLI::Range(1, 1000));
    command
        .add_option("--begin-at", begin,
                    "For lava and particles: begin with the state after so many generations from "
                    "the start, which the first variant computes once and which is cached in "
                    "~/.cache/camber/states; --generations follow it")
        ->check(CLI::Range(1, 1 << 30));
    command
        .add_option("--states", states,
                    "With --from-start, for runs of lava too long to repeat: time steps from N "
                    "saved states, equally spaced over the run, and sum them; states are cached "
                    "in ~/.cache/camber/states, and made if they are missing")
        ->check(CLI::Range(1, 1000));
    command
        .add_option("--states-in", states_in,
                    "With --states and --begin-at: the folder of the saved states")
        ->check(is_file_name);
    repeatable(command, "--whole", whole, "VARIANT",
               "With --states: variants to time over the whole run as well, by name or glob; "
               "the first one makes the states, and the ends of the others are compared with "
               "it; repeatable");
    command
        .add_option("--reference-generations", reference_generations,
                    "With --states: verify variants after so many generations of the reference, "
                    "which takes too long for all of them (default: all)")
        ->check(CLI::Range(1, 1 << 30));
    command
        .add_option("--sample-seconds", sample_seconds,
                    "Minimum duration of a sample, which is a batch of launches")
        ->capture_default_str()
        ->check(is_within(1e-6, 60));
    command
        .add_option("--rounds", rounds,
                    "Number of passes over all cases, each in a new random order (default: 2 on "
                    "cuda, else 1)")
        ->check(CLI::Range(1, 1000));
    groups.common(measurement_group);
    command
        .add_option("--processes", processes,
                    "Repeat the whole measurement in this many new processes")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->take_last();
    groups.rare(measurement_group);
    command
        .add_option("--order-seed", order_seed,
                    "Seed of the order of cases (default: random; recorded in the results)")
        ->check(is_seed)
        ->take_last();
    command.add_option("--process-index", process_index)->group("");  // internal
    groups.common(output_group);
    command.add_option("--out", out, "Results file")
        ->default_str(default_results)
        ->check(is_file_name)
        ->take_last();
    command
        .add_option("--save", save,
                    "Write the final state, which --input can read, in the format of --input; with "
                    "several variants, the state of the first one that passes verification")
        ->check(is_file_name);
    command
        .add_option("--trace", trace,
                    "Write a timeline of some launches of every case, recorded after the samples: "
                    "kernels, copies, waits and host calls, as trace events for ui.perfetto.dev, "
                    "chrome://tracing and camber report --trace")
        ->check(is_file_name);
    groups.common(measurement_group);
    command.add_option("--counters", counters,
                       "Hardware counters to read for every case, on cuda: comma-separated sets "
                       "(memory, shared, compute, all) and metric names; see camber counters");
    groups.rare(measurement_group);
    command
        .add_option(
            "--ceilings", ceilings,
            "Ceilings of the device: kept (cached by an earlier run with this card and driver in "
            "~/.cache/camber, else measured), fresh (measured now) or, on simt with "
            "--leave-out-hopeless, a card (h100, h200) or a file of camber ceilings --json")
        ->capture_default_str()
        ->check(not_empty);
    groups.common(measurement_group);
    command.add_flag(
        "--leave-out-hopeless", leave_out_dominated,
        fmt::format(
            "Skip variants whose predicted time is more than {:g} times that of the best one, even "
            "at the low end of its interval and the high end of the best one's",
            dominated_factor));
    groups.rare(measurement_group);
    repeatable(command, "--keep", keep, "VARIANT",
               "With --leave-out-hopeless: variants to measure in any case, by name or glob; "
               "repeatable");
    command.add_flag(
        "--dry-run", dry_run,
        "With --leave-out-hopeless: report how many variants would be skipped, and stop");
    groups.common(measurement_group);
    command.add_flag("--quick", quick, "Use a smaller board and fewer samples");
    command
        .add_option("--budget", budget,
                    "Stop after this time, such as 90s, 20m or 1h; results measured until then are "
                    "written and marked as incomplete")
        ->check(is_duration)
        ->take_last();
    groups.common(output_group);
    command.add_flag("--resume", resume,
                     "Resume the results file of the same command, commit and card: measure only "
                     "the cases that it lacks");
    command.add_flag("--all-rows", all_rows,
                     "Without a GPU: print a row for every variant, even if there are many");
    command
        .add_option(
            "--sort", sort,
            "Sort order of the table: time, name or spread (widest confidence interval first)")
        ->capture_default_str()
        ->check(CLI::IsMember({"time", "name", "spread"}));
    group.add_to(command);
    group.add_partition_to(command);
    group.add_balancing_to(command);
    group.add_start_to(command);
}

}  // namespace camber
