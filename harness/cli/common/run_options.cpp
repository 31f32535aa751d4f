#include "harness/cli/common/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "harness/cli/common/checks.hpp"
#include "harness/cli/common/duration.hpp"

namespace camber {

void RunOptions::add_problem_to(CLI::App& command) {
    command.add_option("--workload", workload, "What is computed")->capture_default_str();
    command
        .add_option(
            "--size", size,
            "Board as COLUMNSxROWS; camber run takes several, as 64x64,256x256 or "
            "64x64..1024x1024, where sides double (default: the input file's; 170x130 on simt; the "
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
    command
        .add_option(
            "--cell", cell,
            "Element type of a cell (life: uint32, uint8 or bits; larger_than_life: uint8 or bits)")
        ->check(not_empty);
    add_rule_to(command);
    command
        .add_option(
            "--input,--pattern", input,
            "Start from a file, not from generated cells (life and larger_than_life: RLE; images: "
            "PGM or PNG; water: ESRI ASCII grid; lava: an eruption's folder; particles: what "
            "--save "
            "wrote)")
        ->check(not_empty);
    add_parameters_to(command);
    command
        .add_option("--at", at,
                    "Place of the pattern's upper left corner as COLUMN,ROW "
                    "(default: centred)")
        ->check(not_empty);
    add_seed_to(command);
    command.add_option("--density", density,
                       "Share of live cells of the random board, 0 to 1 (default: 0.5); with an "
                       "eruption's folder, of cells to which lava is added (default: 0)");
    command
        .add_option("--tile", tiles,
                    "Repeat an eruption's ground COLUMNS times from west to east and ROWS times "
                    "from north to south, as COLUMNSxROWS; each copy mirrors its neighbours")
        ->check(not_empty);
    command
        .add_option("--refine", refinement,
                    "Divide an eruption's cells into N x N, the ground interpolated between them: "
                    "2 makes 5 m cells of 10 m ones")
        ->check(CLI::Range(1, 16));
    command
        .add_option("--ground", ground,
                    "Ground of lava without --input: volcano, or plane, level with a crater in the "
                    "middle (bare, where --density puts no lava on it)")
        ->check(CLI::IsMember({"volcano", "plane"}));
    command.add_option("--device", device, "CUDA device by index")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
}

bool names_file(const std::string& ceilings) {
    return ceilings != "kept" && ceilings != "fresh";
}

std::vector<std::string> words_of(const RunOptions& options) {
    const RunOptions usual;
    std::vector<std::string> words;
    const auto add = [&](const char* name, const std::string& value, const std::string& if_not) {
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
    add("--rule", options.rule, "");
    add("--size", options.size, "");
    add("--boundary", options.boundary, "");
    add("--input", options.input, "");
    add("--at", options.at, "");
    add("--tile", options.tiles, "");
    number("--refine", options.refinement, usual.refinement);
    add("--ground", options.ground, "");
    if (options.seed) number("--seed", *options.seed, std::uint64_t{0} - 1);
    if (options.density) number("--density", *options.density, -1.0);
    for (const std::string& parameter : options.parameters) add("--param", parameter, "");
    number("--generations", options.generations, 0);
    flag("--from-start", options.from_start);
    number("--intervals", options.intervals, 0);
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
    flag("--leave-out-hopeless", options.leave_out_hopeless);
    for (const std::string& glob : options.keep) add("--keep", glob, "");
    for (std::string& word : options.group.words()) words.push_back(std::move(word));
    for (const std::string& glob : options.variants) add("--variant", glob, "");
    for (const std::string& composition : options.compositions) add("--compose", composition, "");
    for (const std::string& file : options.candidates) add("--candidate", file, "");
    for (const std::string& sweep : options.sweeps) add("--sweep", sweep, "");
    number("--timeout", options.timeout, usual.timeout);
    return words;
}

void RunOptions::add_seed_to(CLI::App& command) {
    command.add_option("--seed", seed, "Seed of the random board")
        ->default_str("1")
        ->check(is_seed);
}

void RunOptions::add_rule_to(CLI::App& command) {
    command
        .add_option("--rule", rule,
                    "Of a workload that computes any rule of a family: which (life: births and "
                    "survivals as B36/S23; larger_than_life: R5,B34..45,S33..57; default: the "
                    "input file's, or the workload's usual one)")
        ->check(not_empty);
}

void RunOptions::add_parameters_to(CLI::App& command) {
    command
        .add_option("--param", parameters,
                    "A parameter of the workload as NAME=NUMBER[,NUMBER...]; repeatable; camber "
                    "list workloads names them")
        ->check(not_empty);
}

void RunOptions::add_compositions_to(CLI::App& command) {
    command
        .add_option("--compose", compositions,
                    "Add a variant whose steps have these techniques, as "
                    "STEP=TECHNIQUE/SHAPE[+STEP=...]; the other steps have halo/64x4/align128; "
                    "without --variant nothing else runs; repeatable; camber list steps shows "
                    "all")
        ->allow_extra_args(false)
        ->check(not_empty);
}

void RunOptions::add_candidates_to(CLI::App& command) {
    command
        .add_option("--candidate", candidates,
                    "A kernel of your own as a variant: a file of CUDA C++ with a camber: line, a "
                    "folder of such files, a technique (NAME.hpp) or a library (NAME.so), see "
                    "camber try --help; without --variant nothing else runs; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->check(not_empty);
    add_sweeps_to(command);
    add_timeout_to(command);
}

void RunOptions::add_sweeps_to(CLI::App& command) {
    command
        .add_option("--sweep", sweeps,
                    "Build candidates with each of these values of a macro, or of a key of their "
                    "camber: lines, such as block=32x4,64x4; repeatable, for all combinations")
        ->type_name("NAME=VALUE,...")
        ->allow_extra_args(false)
        ->check(not_empty);
}

void RunOptions::add_timeout_to(CLI::App& command) {
    command
        .add_option("--timeout", timeout,
                    "Seconds after which a candidate that has not ended is taken for an endless "
                    "loop: a block of it on the executor, all that a GPU is busy with")
        ->capture_default_str()
        ->check(is_within(0.01, 1e6));
}

void RunOptions::add_to(CLI::App& command) {
    add_problem_to(command);
    add_compositions_to(command);
    add_candidates_to(command);
    command.add_option("--variant", variants,
                       "Variants by name; globs such as 'shared_tile/*' or '*64x4*'; repeatable");
    command
        .add_option("--backend", backend,
                    "auto, cuda, simt or cpu; auto takes cuda where a device is usable, else simt")
        ->capture_default_str();
    group.add_to(command);
    group.add_partition_to(command);
    group.add_balancing_to(command);
    group.add_start_to(command);
    command.add_option("--threads", threads, "CPU threads for work on the host (default: all)")
        ->check(CLI::Range(1, 4096));
    command.add_option("--out", out, "Results file")
        ->default_str(default_results)
        ->check(is_file_name)
        ->take_last();
    command
        .add_option(
            "--cache", cache,
            "State of L2 when a timed launch begins: hot (as the launch before left it), cold "
            "(emptied), or both")
        ->capture_default_str();
    command.add_flag(
        "--graph", graph,
        "Replay launches as a CUDA graph; with --from-start the whole run is recorded, "
        "in several graphs");
    command.add_flag("--from-start", from_start,
                     "Every sample starts from the initial state and takes all --generations; for "
                     "models whose cost changes as they evolve");
    command
        .add_option(
            "--intervals", intervals,
            "Time a run of --generations from the start also in N equal parts, each with "
            "samples of its own and, on cuda, the shares of the kernels; of lava, the share "
            "of launched cells that have some")
        ->check(CLI::Range(1, 1000));
    command
        .add_option("--sample-seconds", sample_seconds,
                    "A sample is a batch of launches that takes at least this long")
        ->capture_default_str()
        ->check(is_within(1e-6, 60));
    command
        .add_option(
            "--rounds", rounds,
            "How often every case is visited, each time in another random order (default: 2 on "
            "cuda, else 1)")
        ->check(CLI::Range(1, 1000));
    command
        .add_option("--processes", processes,
                    "Repeat the whole measurement in this many fresh processes")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->take_last();
    command
        .add_option("--order-seed", order_seed,
                    "Seed of the order of the cases (default: a new one, which is recorded)")
        ->check(is_seed)
        ->take_last();
    // How a process learns that it is one of several.
    command.add_option("--process-index", process_index)->group("");
    command
        .add_option(
            "--save", save,
            "Write the final board (life: RLE; images: PGM or PNG; water: ESRI ASCII grid; "
            "lava: a folder of such grids; particles: VTK or CSV), from which --input goes on; "
            "with several variants, that of the first one that passes its verification")
        ->check(is_file_name);
    command
        .add_option("--trace", trace,
                    "Write the timeline of some launches of every case: kernels, copies, waits and "
                    "calls of the host, as trace events that ui.perfetto.dev, chrome://tracing and "
                    "camber report --trace show; recorded after the samples")
        ->check(is_file_name);
    command.add_option("--counters", counters,
                       "Hardware counters to read with every case, on cuda: sets (memory, shared, "
                       "compute, all) and metric names, separated by commas; see camber counters");
    command
        .add_option(
            "--ceilings", ceilings,
            "The device's limits: kept (of an earlier run on this card under this driver, "
            "in ~/.cache/camber; measured where there are none), fresh (measured now), or, on simt "
            "with --leave-out-hopeless, those of a card (h100, h200) or of a file of camber "
            "ceilings --json")
        ->capture_default_str()
        ->check(not_empty);
    command.add_flag("--leave-out-hopeless", leave_out_hopeless,
                     "Skip variants whose predicted time is more than twice that of the best one, "
                     "even at the low end of its interval and the best one at the high end; "
                     "predicting takes some hundredths of a second a variant, and ends before it "
                     "costs more than it saves");
    command
        .add_option("--keep", keep,
                    "With --leave-out-hopeless: variants to measure all the same, as --variant "
                    "names them; repeatable")
        ->type_name("VARIANT")
        ->allow_extra_args(false)
        ->check(not_empty);
    command.add_flag("--dry-run", dry_run,
                     "With --leave-out-hopeless: say how many variants are left out, and end");
    command.add_flag("--quick", quick, "Smaller board, fewer samples");
    command
        .add_option("--budget", budget,
                    "End after this time, as 90s, 20m or 1h, with what is measured by then; the "
                    "results are marked as incomplete")
        ->check(is_duration)
        ->take_last();
    command.add_flag("--resume", resume,
                     "Go on with the results file of the same command, commit and card: what it "
                     "has is kept, the rest is measured");
    command
        .add_option("--sort", sort,
                    "Order of the table: time, name, or spread (the widest interval first)")
        ->capture_default_str()
        ->check(CLI::IsMember({"time", "name", "spread"}));
}

}  // namespace camber
