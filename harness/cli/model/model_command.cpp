#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/checks.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/model/baseline.hpp"
#include "harness/cli/model/forecast.hpp"
#include "harness/cli/model/model.hpp"
#include "harness/cli/model/page.hpp"
#include "harness/cli/model/picture.hpp"
#include "harness/model/model_record.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/context.hpp"

namespace camber {

namespace {

constexpr const char* default_architecture = "sm_90";
constexpr const char* usual_size = "2048x2048";

struct Options {
    RunOptions run;
    std::string architecture;  // "": of the ceilings' device, else the default
    std::string ceilings;
    std::string json;
    std::string baseline;
    std::string sort = "moved";
    PictureRequest picture;
};

Architecture architecture_named(const std::string& name) {
    try {
        return parse_architecture(name);
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage, error.what());
    }
}

// The GPU that --ceilings describes.
struct Device {
    results::Gpu gpu;
    HardwareLimits limits;
};

Device device_in(const std::string& path) {
    const results::Document document = results::read_document(path);
    const auto limits = hardware_limits(document);
    if (!limits)
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" has no limits of a GPU: give a file that camber ceilings "
                                "--json, or camber run on a GPU, wrote",
                                path));
    return {*document.run()->gpu, *limits};
}

// The architecture asked for, which must follow the rules of the device whose ceilings are given.
Architecture chosen_architecture(const Options& options, const std::optional<Device>& device) {
    if (options.architecture.empty())
        return architecture_named(device ? device->gpu.compute_capability : default_architecture);
    const Architecture chosen = architecture_named(options.architecture);
    if (device && chosen.rules != architecture_named(device->gpu.compute_capability).rules)
        throw Error(ExitCode::incomparable,
                    fmt::format("\"{}\" has the limits of {}, compute capability {}, which does "
                                "not follow the rules of {}: leave out --arch or --ceilings",
                                options.ceilings, device->gpu.name, device->gpu.compute_capability,
                                to_string(chosen)));
    return chosen;
}

Study study_of(const Options& options) {
    RunOptions run = options.run;
    run.backend = name(Backend::simt);
    return study_from(run);
}

// A variant that cannot be modelled.
struct Skipped {
    const Variant* variant;
    std::string reason;  // "needs 12 KB of constant memory, ..."

    std::string sentence() const { return fmt::format("{}: it {}", variant->info.name(), reason); }
};

// Takes the variants that cannot be modelled out of the study. Throws Error(usage) where none is
// left.
std::vector<Skipped> skip_impossible(Study& study) {
    std::vector<Skipped> skipped;
    std::erase_if(study.variants, [&](const Variant* variant) {
        auto reason = reason_not_to_model(*variant, study.problem);
        if (reason) skipped.push_back({variant, std::move(*reason)});
        return reason.has_value();
    });
    if (study.variants.empty()) {
        std::vector<std::string> sentences;
        for (const Skipped& one : skipped) sentences.push_back(one.sentence());
        throw Error(ExitCode::usage,
                    fmt::format("no variant can be modelled: {}", fmt::join(sentences, "; ")));
    }
    return skipped;
}

// Those that were modelled before work was to end. Throws Stopped where there are none.
std::vector<ModelledVariant> model_all(const Study& study, const Architecture& architecture,
                                       const std::optional<Device>& device) {
    std::vector<ModelledVariant> models;
    if (isatty(STDERR_FILENO) != 0) say_cost(model_forecast(study, architecture));
    Progress progress;
    const InitialData initial{study.workload, study.initial, nullptr};
    try {
        for (const Variant* variant : study.variants) {
            progress.show(static_cast<int>(models.size()), static_cast<int>(study.variants.size()),
                          variant->info.name());
            ModelledVariant model;
            model.prediction = predict(*variant, study.problem, initial, architecture);
            model.bytes_needed = bytes_needed(model.prediction, *study.workload);
            if (device) model.bounds = bounds_of(model.prediction, device->limits);
            models.push_back(std::move(model));
        }
    } catch (const Stopped&) {
        if (models.empty()) throw;
    }
    return models;
}

void write_json(results::ResultsFile& file, const CommandLine& command_line, const Study& study,
                const std::vector<ModelledVariant>& models, const std::vector<Skipped>& skipped) {
    file.amend([&](results::Document& document) {
        document.context = run_context(command_line, nullptr, {});
        for (const ModelledVariant& model : models)
            document.models.push_back(model_entry(model.prediction, *study.workload, model.bounds));
        for (const Skipped& one : skipped)
            document.models.push_back(skipped_entry(*one.variant, study.problem, one.reason));
        const auto done = static_cast<std::int64_t>(models.size());
        const auto all = static_cast<std::int64_t>(study.variants.size());
        if (done < all) document.context.run->incomplete = {done, all, done, all};
    });
}

std::optional<CapturedRequest> worst_request(const Study& study, const Prediction& prediction) {
    const auto rows = site_rows(prediction);
    if (rows.empty() || rows.front().bytes_wasted() == 0) return std::nullopt;
    Problem problem = study.problem;
    InitialConditions conditions = study.initial;
    if (prediction.small_board) {
        problem.size = conditions.size = *prediction.small_board;
        conditions.input.reset();  // may not fit, and counts do not depend on the data
        conditions.input_at.reset();
        conditions.tiles = {1, 1};
    }
    const SiteRow& worst = rows.front();
    return typical_request(*prediction.variant, problem, study.workload->initial(conditions),
                           worst.kernel,
                           prediction.sites.at(static_cast<std::size_t>(worst.site)).key,
                           worst.operation, prediction.architecture.rules);
}

void print_table(const Study& study, const Architecture& architecture,
                 const std::vector<ModelledVariant>& models, const std::optional<Device>& device,
                 const std::string& order) {
    fmt::print("{} {}x{} ({} cells, boundary {}), rules of {} ({})\n", study.workload->name(),
               study.problem.size.columns, study.problem.size.rows, info(study.problem.cell).name,
               name(study.problem.boundary), to_string(architecture),
               to_string(architecture.rules));
    fmt::print("{}", model_table(models, device.has_value(), order));
    const bool textures = std::ranges::any_of(models, [](const ModelledVariant& model) {
        return model.prediction.counts().texture_load.requests > 0;
    });
    fmt::print(
        "\nAll amounts are per generation. The order is by {}; --sort changes it.\n"
        "loads, sect., /req, eff: requests of warps that load from global memory, their sectors\n"
        "of 32 bytes, sectors per request, % of these bytes that are used; {}store: sectors\n"
        "stored; wavef, confl: wavefronts of shared memory, and how many of them bank conflicts\n"
        "cost; /need: bytes moved / bytes needed (each cell read once, written once)\n",
        order == "moved" ? "bytes moved" : order, textures ? "tex.: sectors of textures;\n" : "");
    if (device)
        fmt::print("us at least: what the busiest resource of {} needs at its ceiling\n",
                   device->gpu.name);
    for (const ModelledVariant& model : models)
        if (model.prediction.method == Method::sampled)
            fmt::print("{}: estimated from a sample of blocks; the interval is in --json\n",
                       model.prediction.variant->info.name());
}

int run(const Options& options, const CommandLine& command_line) {
    check_files({{"--ceilings", options.ceilings}}, {{"--json", options.json},
                                                     {"--baseline", options.baseline},
                                                     {"--svg", options.picture.svg}});
    const StopSignals signals;
    if (!options.baseline.empty()) {
        AtomicFile(options.baseline, "baseline").replace(model_baseline());
        fmt::print("baseline: {}\n", options.baseline);
        return static_cast<int>(ExitCode::success);
    }
    std::optional<Device> device;
    if (!options.ceilings.empty()) device = device_in(options.ceilings);
    if (options.sort == "bound" && !device)
        throw Error(ExitCode::usage, "--sort bound needs a device's limits: give --ceilings");
    const Architecture architecture = chosen_architecture(options, device);
    Study study = study_of(options);
    const std::vector<Skipped> skipped = skip_impossible(study);
    const bool picture = !options.picture.place.empty();
    if (picture && study.variants.size() > 1)
        throw Error(ExitCode::usage,
                    fmt::format("--picture shows an access of one variant, and {} are chosen: name "
                                "one with --variant",
                                study.variants.size()));
    // Opened first: better no model than one that is lost.
    std::optional<results::ResultsFile> file;
    if (!options.json.empty()) file.emplace(options.json);

    const std::vector<ModelledVariant> models = model_all(study, architecture, device);
    if (picture)
        show_picture(options.picture, models.front().prediction,
                     study.workload->initial(study.initial));
    else if (study.variants.size() == 1)
        fmt::print("{}", model_page(models.front(), worst_request(study, models[0].prediction)));
    else
        print_table(study, architecture, models, device, options.sort);
    for (const Skipped& one : skipped) fmt::print("skipped {}\n", one.sentence());
    if (file) {
        write_json(*file, command_line, study, models, skipped);
        fmt::print("models: {}\n", options.json);
    }
    if (models.size() < study.variants.size())
        say_stopped(static_cast<int>(models.size()), static_cast<int>(study.variants.size()),
                    "variants modelled");
    return static_cast<int>(ExitCode::success);
}

}  // namespace

int run_model(const RunOptions& run_options, const CommandLine& command_line) {
    Options options;
    options.run = run_options;
    if (options.run.size.empty()) options.run.size = usual_size;
    return run(options, command_line);
}

void add_model_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "model", "Predict memory requests, waste and conflicts line by line; needs no GPU");
    auto options = std::make_shared<Options>();
    RunOptions& run_options = options->run;
    run_options.size = usual_size;
    command->add_option("--variant", run_options.variants,
                        "Variants by name; globs such as 'shared_tile/*'; repeatable; all if not "
                        "given, a single one line by line");
    run_options.add_compositions_to(*command);
    run_options.add_candidates_to(*command);
    command->add_option("--workload", run_options.workload, "What is computed")
        ->capture_default_str();
    command->add_option("--size", run_options.size, "Board as COLUMNSxROWS")
        ->capture_default_str()
        ->check(not_empty);
    command
        ->add_option("--boundary", run_options.boundary, "Beyond the edge: dead cells, or a torus")
        ->capture_default_str();
    command
        ->add_option("--cell", run_options.cell, "Element type of a cell (life: uint32 or uint8)")
        ->check(not_empty);
    run_options.add_seed_to(*command);
    command->add_option("--density", run_options.density,
                        "Share of live cells of the random board (default: 0.5)");
    command
        ->add_option("--arch", options->architecture,
                     "Compute capability whose rules hold: cc1.0, cc1.2, cc2.0, cc2.0-cg, sm_90, "
                     "... (default: of the --ceilings' device, else sm_90)")
        ->check(not_empty);
    command
        ->add_option("--ceilings", options->ceilings,
                     "Add lower bounds on the time from a device's limits: a file of camber "
                     "ceilings --json or of camber run")
        ->type_name("FILE")
        ->check(not_empty);
    command->add_option("--sort", options->sort, "Order of the table")
        ->capture_default_str()
        ->check(CLI::IsMember(model_orders()));
    command->add_option("--json", options->json, "Also write everything to this file")
        ->type_name("FILE")
        ->check(is_file_name);
    command
        ->add_option("--baseline", options->baseline,
                     "Model all variants of all workloads on small boards into this file, for "
                     "camber compare")
        ->type_name("FILE")
        ->check(is_file_name);
    CLI::Option* picture =
        command
            ->add_option(
                "--picture", options->picture.place,
                "Show which sectors or banks one warp touches there: FILE:LINE, LINE, or a "
                "site of the table, such as s1")
            ->type_name("PLACE")
            ->check(not_empty);
    command
        ->add_option("--block", options->picture.block,
                     "With --picture: the block as X,Y (default: an interior one that has it)")
        ->needs(picture)
        ->check(not_empty);
    command
        ->add_option("--warp", options->picture.warp,
                     "With --picture: the warp of the block (default: the first that has it)")
        ->needs(picture);
    command->add_option("--svg", options->picture.svg, "With --picture: also write it as SVG")
        ->type_name("FILE")
        ->needs(picture)
        ->check(is_file_name);
    command->footer(
        "Requests and sectors of global memory are those that hardware counters read; where the\n"
        "accesses depend on the data they are predicted from the board's own.\n"
        "\n"
        "Examples:\n"
        "  camber model                                         every variant, side by side\n"
        "  camber model --variant shared_tile/16x16/align128    its lines, the worst first\n"
        "  camber model --variant halo/16x16/unaligned --picture s1 --svg halo.svg\n"
        "  camber model --variant 'halo/*' --arch cc1.2 --size 512x512\n"
        "  camber model --ceilings results/h200/ceilings.json   with lower bounds on the time");
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
