// Command `camber model`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/model/baseline.hpp"
#include "harness/cli/model/modelling.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/cli/model/timing.hpp"
#include "harness/measure/ceilings/ceilings.hpp"
#include "harness/predict/launch_time.hpp"
#include "harness/predict/prediction_record.hpp"
#include "harness/record/document.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

constexpr const char* default_architecture = "sm_90";
constexpr const char* usual_size = "2048x2048";

struct ModelOptions {
    RunOptions run;
    OwnProblemOptions own;
    bool workload_given = false;
    std::string architecture;  // "": of the ceilings' device, else the default
    std::string ceilings;
    std::string json;
    std::string baseline;
    std::string measured;
    std::vector<std::string> against;
    std::string sort;  // "": by time where a device is given, else by bytes moved
    PictureRequest picture;
};

Architecture architecture_named(const std::string& name) {
    try {
        return parse_architecture(name);
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage, error.what());
    }
}

// Architecture from the options, which must use the same transaction rules as the device whose
// ceilings are given.
Architecture chosen_architecture(const ModelOptions& options,
                                 const std::optional<ModelDevice>& device) {
    if (options.architecture.empty())
        return architecture_named(device ? device->gpu.compute_capability : default_architecture);
    const Architecture chosen = architecture_named(options.architecture);
    if (device && chosen.rules != architecture_named(device->gpu.compute_capability).rules)
        throw Error(
            ExitCode::incomparable,
            fmt::format("\"{}\" has the ceilings of {}, compute capability {}, to which the "
                        "rules of {} do not apply: leave out --arch or {}",
                        options.ceilings.empty() ? options.measured : options.ceilings,
                        device->gpu.name, device->gpu.compute_capability, to_string(chosen),
                        options.ceilings.empty() ? "--measured" : "--ceilings"));
    return chosen;
}

// Default board size; "" if parameters determine the number of particles, or an input the number of
// cells. For lava, the size is that of the map, because its accesses depend on the position of the
// lava.
std::string usual_size_of(const RunOptions& run) {
    const Workload* const workload = find_workload(run.workload);
    if (!run.input.empty() || (workload && workload->capabilities().parameter_start)) return "";
    const auto own = workload ? workload->facts().usual_size : std::nullopt;
    return own ? fmt::format("{}x{}", own->columns, own->rows) : usual_size;
}

Study study_of(const ModelOptions& options) {
    RunOptions run = options.run;
    run.backend = name(Backend::simt);
    if (run.size.empty()) run.size = usual_size_of(run);
    return study_from(run);
}

void write_json(results::ResultsFile& file, const CommandLine& command_line, const Study& study,
                const std::vector<ModelledVariant>& models, const std::vector<Skipped>& skipped,
                const std::optional<ModelDevice>& device) {
    file.amend([&](results::Document& document) {
        document.context = run_context(command_line, nullptr, {});
        if (device) document.context.run->gpu = device->gpu;  // GPU that the times refer to
        for (const ModelledVariant& model : models) {
            document.models.push_back(model_entry(model.prediction, *study.workload, model.bounds));
            if (model.time) document.models.back().time = time_record(*model.time);
        }
        for (const Skipped& one : skipped)
            document.models.push_back(skipped_entry(*one.variant, study.problem, one.reason));
        const auto done = static_cast<std::int64_t>(models.size());
        const auto all = static_cast<std::int64_t>(study.variants.size());
        if (done < all) document.context.run->incomplete = {done, all, done, all};
    });
}

void print_table(const Study& study, const Architecture& architecture,
                 const std::vector<ModelledVariant>& models,
                 const std::optional<ModelDevice>& device, const std::string& order) {
    if (named_arrays_of(*study.workload))
        fmt::print("{} ({}), rules of {} ({})\n", study.workload->name(),
                   problem_text(study.workload->name(), study.problem), to_string(architecture),
                   to_string(architecture.rules));
    else
        fmt::print("{} {}x{} ({} cells, boundary {}), rules of {} ({})\n", study.workload->name(),
                   study.problem.size.columns, study.problem.size.rows,
                   info(study.problem.cell).name, name(study.problem.boundary),
                   to_string(architecture), to_string(architecture.rules));
    if (order == "time")
        fmt::print("{}", time_table(models));
    else
        fmt::print("{}", model_table(models, device.has_value(), order));
    const bool textures = std::ranges::any_of(models, [](const ModelledVariant& model) {
        return model.prediction.counts().texture_load.requests > 0;
    });
    if (order == "time")
        fmt::print(
            "\nAll times are predicted, per generation on {}; --sort moved shows amounts.\n"
            "bound by: resource with the largest part of the time; from, to: predicted interval; "
            "?: uncertain;\n"
            "min. us: time of the busiest resource at its ceiling; /need: bytes moved / bytes "
            "needed\n",
            device->gpu.name);
    else
        fmt::print(
            "\nAll amounts are per generation, sorted by {}; --sort changes the order.\n"
            "loads: global load requests, one per load instruction of a warp; sect.: 32-byte "
            "sectors that\n"
            "they fetch; /req: sectors per request; eff: % of the fetched bytes that are used; "
            "{}store:\n"
            "sectors stored; wavef: wavefronts, the passes over the banks of shared memory; confl: "
            "wavefronts\n"
            "due to bank conflicts; /need: bytes moved / bytes needed (each cell read once, "
            "written once)\n",
            order == "moved" ? "bytes moved" : order, textures ? "tex.: texture sectors; " : "");
    if (device && order != "time")
        fmt::print("min. us: time of the busiest resource of {} at its ceiling\n",
                   device->gpu.name);
    if (order == "time") {
        fmt::print("{}", pick_line(models));
        std::set<std::string> reasons;
        for (const ModelledVariant& model : models)
            if (!model.no_time.empty()) reasons.insert(model.no_time);
        for (const std::string& reason : reasons) fmt::print("-: no predicted time: {}\n", reason);
    }
    for (const ModelledVariant& model : models)
        if (model.prediction.method == Method::sampled)
            fmt::print("{}: estimated from a sample of blocks; --json writes the interval\n",
                       model.prediction.variant->info.name());
}

// Device whose ceilings are in one of the given files; results files contain ceilings, too.
std::optional<ModelDevice> device_for(const ModelOptions& options,
                                      const std::optional<results::Document>& measured) {
    if (!options.ceilings.empty()) return device_of(read_ceilings(options.ceilings));
    if (measured) return device_of(*measured);
    return std::nullopt;
}

std::string order_of(const ModelOptions& options, bool with_device) {
    if (!options.sort.empty()) return options.sort;
    return with_device ? "time" : "moved";
}

Study study_asked_for(const ModelOptions& options,
                      const std::optional<results::Document>& measured) {
    ModelOptions asked = options;
    if (measured) take_board_of(*measured, asked.run);
    if (!options.against.empty()) asked.run.variants = options.against;
    Study study = study_of(asked);
    if (measured) keep_measured(study, *measured);
    if (!options.against.empty() && study.variants.size() != 2)
        throw Error(ExitCode::usage,
                    fmt::format("--against compares two variants, but {} and {} match {}: name two",
                                options.against[0], options.against[1], study.variants.size()));
    return study;
}

int run(ModelOptions options, const CommandLine& command_line) {
    check_files({{"--ceilings", options.ceilings}, {"--measured", options.measured}},
                {{"--json", options.json},
                 {"--baseline", options.baseline},
                 {"--svg", options.picture.svg}});
    const StopSignals signals;
    if (!options.baseline.empty()) {
        AtomicFile(options.baseline, "baseline")
            .replace(options.run.candidates.empty() ? model_baseline()
                                                    : model_candidates(options.run, options.own));
        fmt::print("baseline: {}\n", options.baseline);
        return static_cast<int>(ExitCode::success);
    }
    choose_problem(options.own, options.workload_given, options.run);
    std::optional<results::Document> measured;
    if (!options.measured.empty()) measured = results::read_document(options.measured);
    const std::optional<ModelDevice> device = device_for(options, measured);
    if (!device)
        for (const char* order : {"bound", "time"})
            if (options.sort == order)
                throw Error(ExitCode::usage,
                            fmt::format("--sort {} needs the ceilings of a device: give --ceilings",
                                        order));
    if (!options.against.empty() && !device)
        throw Error(ExitCode::usage, "--against needs the ceilings of a device: give --ceilings");
    const Architecture architecture = chosen_architecture(options, device);
    std::optional<TimePredictor> times;
    std::vector<results::CodeTable> own;
    if (measured) own.push_back(results::CodeTable::of(*measured));
    if (device)
        times.emplace(*device, architecture, std::move(own),
                      measured ? submission_of(*measured) : Submission::stream);
    Study study = study_asked_for(options, measured);
    const std::vector<Skipped> skipped = skip_impossible(study);
    if (!options.against.empty() && !skipped.empty())
        throw Error(ExitCode::usage, "--against compares two variants: " + skipped[0].sentence());
    const bool picture = !options.picture.place.empty();
    if (picture && study.variants.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("--picture shows an access of one variant, but {} are selected: name "
                        "one with --variant",
                        study.variants.size()));
    // Opens the file first, so that no model is lost because the file cannot be written.
    std::optional<results::ResultsFile> file;
    if (!options.json.empty()) file.emplace(options.json);

    const std::vector<ModelledVariant> models =
        model_all(study, architecture, device, times, candidate_points(options.run));
    if (!options.against.empty() && models.size() == 2)
        fmt::print("{}\n", reason_between(models[0], models[1]));
    else if (measured)
        fmt::print("{}", measured_page(beside_measured(models, *measured)));
    else if (picture)
        show_picture(options.picture, models.front().prediction,
                     start_of(*study.workload, study.initial, study.problem.parameters));
    else if (study.variants.size() == 1)
        fmt::print("{}", model_page(models.front(), worst_request(study, models[0].prediction)));
    else
        print_table(study, architecture, models, device, order_of(options, device.has_value()));
    if (!picture && times)
        for (const std::string& note : times->notes()) fmt::print("\n{}\n", note);
    for (const Skipped& one : skipped) fmt::print("skipped {}\n", one.sentence());
    if (file) {
        write_json(*file, command_line, study, models, skipped, device);
        fmt::print("models: {}\n", options.json);
    }
    if (models.size() < study.variants.size())
        say_stopped(static_cast<int>(models.size()), static_cast<int>(study.variants.size()),
                    "variants modelled");
    return static_cast<int>(ExitCode::success);
}

}  // namespace

int run_model(const RunOptions& run_options, const CommandLine& command_line) {
    ModelOptions options;
    options.run = run_options;
    options.workload_given = true;
    return run(options, command_line);
}

void add_model_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "model",
        "Predict memory requests, wasted bytes and bank conflicts line by line; needs no GPU");
    auto options = std::make_shared<ModelOptions>();
    RunOptions& run_options = options->run;
    command->add_option("--variant", run_options.variants,
                        "Variants by name, or globs such as 'shared_tile/*'; repeatable (default: "
                        "all); a single variant is shown line by line");
    run_options.add_compositions_to(*command);
    run_options.add_candidates_to(*command);
    CLI::Option* const workload =
        command->add_option("--workload", run_options.workload, "What is computed")
            ->capture_default_str();
    options->own.add_problem_to(*command);
    command
        ->add_option("--size", run_options.size,
                     fmt::format("Board as COLUMNSxROWS (default: {}, or the workload's usual "
                                 "size; for particles, --param sets the size)",
                                 usual_size))
        ->check(not_empty);
    command->add_option("--boundary", run_options.boundary, "Cells beyond the edge: dead or torus")
        ->capture_default_str();
    run_options.add_cell_to(*command);
    run_options.add_rule_to(*command);
    run_options.add_parameters_to(*command);
    run_options.add_seed_to(*command);
    command->add_option("--density", run_options.density,
                        "Fraction of live cells of the random board (default: 0.5)");
    command
        ->add_option("--arch", options->architecture,
                     "Compute capability whose coalescing and bank rules apply: cc1.0, cc1.2, "
                     "cc2.0, cc2.0-cg, sm_90, ... (default: that of the device in --ceilings, or "
                     "sm_90)")
        ->check(not_empty);
    command
        ->add_option(
            "--ceilings", options->ceilings,
            "Predict times and their lower bounds for a card (h100, h200, ...), or for the "
            "device in a file of camber ceilings --json or camber run")
        ->type_name("CARD|FILE")
        ->check(not_empty);
    command
        ->add_option("--sort", options->sort,
                     "Sort order of the table (default: time with --ceilings, else moved)")
        ->check(CLI::IsMember(model_orders()));
    CLI::Option* against =
        command
            ->add_option("--against", options->against,
                         "Explain which of two variants is faster on the device in --ceilings, by "
                         "how much, and why")
            ->type_name("VARIANT VARIANT")
            ->expected(2);
    command
        ->add_option("--measured", options->measured,
                     "Compare predicted times with the measured times in FILE, written by "
                     "camber run, for its board and device")
        ->type_name("FILE")
        ->check(not_empty)
        ->excludes(against);
    command->add_option("--json", options->json, "Also write all counts to this file, as JSON")
        ->type_name("FILE")
        ->check(is_file_name);
    command
        ->add_option("--baseline", options->baseline,
                     "Write the counts of all variants of all workloads, or of the kernels given "
                     "with --candidate, on small boards to this file, for camber compare")
        ->type_name("FILE")
        ->check(is_file_name);
    CLI::Option* picture =
        command
            ->add_option(
                "--picture", options->picture.place,
                "Draw which sectors or banks one warp accesses at a source line or site, and "
                "name the remedy: FILE:LINE, LINE, or a site of the table, such as s1")
            ->type_name("PLACE")
            ->check(not_empty);
    command
        ->add_option("--block", options->picture.block,
                     "With --picture: block to show, as X,Y (default: an interior block, if it has "
                     "the access)")
        ->needs(picture)
        ->check(not_empty);
    command
        ->add_option("--warp", options->picture.warp,
                     "With --picture: warp to show (default: the first warp that has the access)")
        ->needs(picture);
    command
        ->add_option("--svg", options->picture.svg, "With --picture: also write the picture as SVG")
        ->type_name("FILE")
        ->needs(picture)
        ->check(is_file_name);
    command->footer(
        "Predicted requests and sectors correspond to the hardware counters of the same names. If\n"
        "accesses depend on the data, they are predicted for the initial state of the board.\n"
        "\n"
        "Examples:\n"
        "  camber model                                         every variant, side by side\n"
        "  camber model --variant shared_tile/16x16/align128    line by line\n"
        "  camber model --variant halo/16x16/unaligned --picture s1 --svg halo.svg\n"
        "  camber model --variant 'halo/*' --arch cc1.2 --size 512x512\n"
        "  camber model --ceilings h200                         with predicted times\n"
        "  camber model --ceilings h200 --against halo/64x4/align128 \\\n"
        "      shared_tile/64x4/align128                        which is faster, and why\n"
        "  camber model --measured results/h200/life.json   how good predictions are");
    command->callback([&chosen, &command_line, options, workload] {
        options->workload_given = workload->count() > 0;
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
