// Command `camber profile`, with its JSON output.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/profile/profile.hpp"
#include "harness/cli/try/captured_run.hpp"
#include "harness/record/context.hpp"
#include "harness/record/fields.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Profiles as JSON, for programs.

// Facts, figures and diagnosis of each case; for two cases, also their comparison.
std::string profiles_text(const results::Context& context, const std::vector<ProfiledCase>& cases);

// Keys of `camber profile --json`.

namespace {

using results::Json;

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
    if (value) object[key] = *value;
}

Json facts_json(const profile::Facts& facts) {
    Json json{{"time_per_generation_seconds", facts.time.median},
              {"ci95_seconds", {facts.time.low, facts.time.high}},
              {"samples", facts.time.samples},
              {"cells", facts.cells},
              {"application_bytes", facts.application_bytes},
              {"generations_per_launch", facts.generations_per_launch}};
    const results::Gpu& gpu = facts.gpu;
    const Ceilings& of = facts.ceilings;
    Json& device = json["device"] = {{"name", gpu.name}, {"sm_count", gpu.sm_count}};
    put(device, "sm_clock_hz", facts.sm_clock_hz);
    put(device, "l2_bytes", std::optional<double>(gpu.l2_bytes));
    Json& ceilings = json["ceilings"] = Json::object();
    put(ceilings, "copy_bytes_per_second", of.dram_copy());
    put(ceilings, "read_bytes_per_second", of.dram_read());
    put(ceilings, "write_bytes_per_second", of.dram_write());
    put(ceilings, "l2_bytes_per_second", of.l2_bytes_per_second);
    put(ceilings, "l1_bytes_per_second", of.l1_bytes_per_second);
    put(ceilings, "shared_bytes_per_second", of.shared_bytes_per_second);
    put(ceilings, "fp32_flops_per_second", of.fp32_flops_per_second);
    put(ceilings, "fp64_flops_per_second", of.fp64_flops_per_second);
    put(ceilings, "lop3_operations_per_second", of.lop3_operations_per_second);
    put(ceilings, "launch_seconds", of.launch_seconds);
    if (facts.kernel) {
        Json& kernel = json["kernel"] = {{"name", facts.kernel->name},
                                         {"threads_per_block", facts.kernel->threads_per_block()},
                                         {"blocks", facts.kernel->blocks()}};
        put(kernel, "registers", facts.kernel->registers);
        put(kernel, "static_shared_bytes", facts.kernel->static_shared_bytes);
        put(kernel, "dynamic_shared_bytes", facts.kernel->dynamic_shared_bytes);
        put(kernel, "local_bytes", facts.kernel->local_bytes);
        put(kernel, "occupancy", facts.kernel->occupancy);
        if (!facts.kernel->instructions.empty())
            kernel["instructions"] = facts.kernel->instructions;
    }
    if (!facts.counters.empty()) json["counters"] = facts.counters;
    for (const profile::KernelTraffic& of : facts.kernel_traffic) {
        Json& kernel = json["kernel_counters"].emplace_back();
        kernel = {{"name", of.name}, {"launches", of.launches}};
        put(kernel, "share_of_time", of.share);
        put(kernel, "dram_bytes", of.dram_bytes);
        kernel["counters"] = of.counters;
        if (!of.comparisons.empty() && !of.estimate) kernel["agrees"] = all_agree(of.comparisons);
    }
    return json;
}

Json figures_json(const profile::Ratios& ratio) {
    Json json = Json::object();
    put(json, "load_sectors_per_request", ratio.load_sectors_per_request);
    put(json, "store_sectors_per_request", ratio.store_sectors_per_request);
    put(json, "texture_sectors_per_request", ratio.texture_sectors_per_request);
    put(json, "load_sector_use", ratio.load_sector_use);
    put(json, "store_sector_use", ratio.store_sector_use);
    put(json, "l1_hits", ratio.l1_hits);
    put(json, "l2_hits", ratio.l2_hits);
    put(json, "bank_conflict_share", ratio.conflict_share);
    put(json, "threads_per_instruction", ratio.threads_per_instruction);
    put(json, "achieved_occupancy", ratio.achieved_occupancy);
    put(json, "instructions_per_cell", ratio.instructions_per_cell);
    put(json, "dram_over_application", ratio.dram_over_application);
    return json;
}

Json profile_json(const profile::Facts& facts, const profile::Diagnosis& diagnosis) {
    Json json{{"variant", facts.variant},
              {"facts", facts_json(facts)},
              {"figures", figures_json(diagnosis.ratios)},
              {"resources", Json::array()},
              {"limit", key(diagnosis.limit)}};
    for (const profile::Utilisation& use : diagnosis.utilisations) {
        const std::string unit = std::string(camber::unit(use.resource)) + "_per_second";
        json["resources"].push_back({{"resource", key(use.resource)},
                                     {unit, use.rate},
                                     {"ceiling_" + unit, use.ceiling},
                                     {"share", use.share()},
                                     {"estimate", use.estimate}});
    }
    if (diagnosis.resource) json["resource"] = key(*diagnosis.resource);
    json["verdict"] = diagnosis.verdict;
    json["paragraph"] = diagnosis.paragraph;
    json["rule"] = profile::rule;
    return json;
}

}  // namespace

std::string profiles_text(const results::Context& context, const std::vector<ProfiledCase>& cases) {
    Json json{{"context", to_json(context)}, {"profiles", Json::array()}};
    for (const ProfiledCase& one : cases)
        json["profiles"].push_back(profile_json(one.facts, one.diagnosis));
    if (cases.size() == 2) json["comparison"] = profile::compare(cases[0].facts, cases[1].facts);
    return results::to_text(json);
}

namespace {

struct ProfileOptions {
    RunOptions problem;
    std::string variant;
    std::string against;
    std::string from;      // results file that replaces a measurement
    std::string ceilings;  // file of `camber ceilings --json` in addition to the results file
    std::string json;
    OwnProblemOptions own;  // defines a problem instead of a workload
    bool workload_given = false;
};

// Distinct names in order of first appearance.
std::vector<std::string> names_in(const results::Document& document) {
    std::vector<std::string> names;
    for (const results::CaseRecord& record : document.cases)
        if (record.by_camber && std::ranges::find(names, record.identity.variant) == names.end())
            names.push_back(record.identity.variant);
    return names;
}

// Names of the program's variants for any backend, so that a misspelled name is found without a
// GPU, too.
std::vector<std::string> registered_names(const std::string& workload) {
    std::vector<std::string> names;
    load_kernels(workload);
    for (const Variant& variant : registry().variants()) {
        const VariantInfo& info = variant.info;
        const bool is_kernel =
            variant.factories.contains(Backend::cuda) || variant.factories.contains(Backend::simt);
        // Variants of several cell types have the same name.
        if (info.workload == workload && is_kernel &&
            std::ranges::find(names, info.name()) == names.end())
            names.push_back(info.name());
    }
    return names;
}

std::vector<std::string> chosen_names(const ProfileOptions& options,
                                      const std::vector<std::string>& names,
                                      const std::string& place) {
    std::vector<std::string> chosen{the_one(options.variant, names, place)};
    if (options.against.empty()) return chosen;
    chosen.push_back(the_one(options.against, names, place));
    if (chosen[0] == chosen[1])
        throw Error(ExitCode::usage,
                    fmt::format("VARIANT and --against are both {}: choose two different variants",
                                chosen[0]));
    return chosen;
}

AtomicFile json_file(const ProfileOptions& options) {
    return {options.json, "results file"};
}

Error no_results(const std::string& path, const char* command, const char* missing) {
    return {ExitCode::usage, fmt::format("\"{}\" has no {}: give a file written by camber {}", path,
                                         missing, command)};
}

// Adds ceilings from a file of `camber ceilings --json` that the run did not measure itself.
void add_ceilings(results::Document& document, const std::string& path) {
    const results::Document file = read_ceilings(path);
    if (document.gpu().empty()) throw no_results(document.source, "run", "GPU");
    if (file.gpu().empty() || !file.ceilings)
        throw no_results(path, "ceilings --json", "ceilings of a GPU");
    if (document.gpu() != file.gpu())
        throw Error(
            ExitCode::incomparable,
            fmt::format("\"{}\" has the ceilings of {}, but the results are from {}: measure "
                        "the ceilings on that GPU with camber ceilings",
                        path, file.gpu(), document.gpu()));
    document.context.run->ceilings.complete_from(*file.ceilings);
}

std::string describe(const results::Run& run, const results::Identity& identity) {
    return fmt::format(
        "{} {}x{}, {} cells, boundary {}; {}, compute capability {}, {} SMs; measured {}{}",
        identity.workload, identity.size.columns, identity.size.rows, identity.cell,
        identity.boundary ? name(*identity.boundary) : "unknown", run.gpu->name,
        run.gpu->compute_capability, run.gpu->sm_count, run.date.substr(0, 10),
        run.git ? ", commit " + run.git->commit.substr(0, 7) : "");
}

ProfiledCase profiled(const results::Document& document, const std::string& variant) {
    const results::CaseRecord& record = case_of(document, variant);
    if (document.gpu().empty()) throw no_results(document.source, "run", "GPU");
    if (!record.samples || !record.derived) throw no_results(document.source, "run", "times");
    if (record.derived->application_bandwidth_bytes_per_second <= 0)
        throw Error(ExitCode::usage,
                    fmt::format("{} is bound by transfers between host and device, which a profile "
                                "does not show: use camber run, which reports the overlap of "
                                "transfers and kernels",
                                variant));
    const results::Run& run = *document.run();
    ProfiledCase result{describe(run, record.identity), profile::facts_of(run, record), {}};
    result.diagnosis = diagnose(result.facts);
    return result;
}

int show(const ProfileOptions& options, const MeasuredProfile& measured,
         const std::vector<std::string>& names) {
    std::vector<ProfiledCase> cases;
    for (const std::string& name : names) cases.push_back(profiled(measured.document, name));
    std::vector<std::string> remarks = measured.remarks;
    if (remarks.empty())
        for (const ProfiledCase& profiled : cases)
            if (profiled.facts.counters.empty())
                remarks.push_back(
                    fmt::format("The results have no hardware counters of {}: measure it with "
                                "camber profile, or camber run --counters all.",
                                profiled.facts.variant));
    if (!options.json.empty())
        json_file(options).replace(profiles_text(measured.document.context, cases));
    fmt::print("{}", profile_page(cases, remarks));
    if (!options.json.empty()) fmt::print("figures: {}\n", options.json);
    return static_cast<int>(ExitCode::success);
}

int run_from_file(const ProfileOptions& options) {
    MeasuredProfile measured{results::read_document(options.from), {}};
    results::Document& document = measured.document;
    if (document.cases.empty()) throw no_results(options.from, "run", "cases");
    if (!options.ceilings.empty()) add_ceilings(document, options.ceilings);
    return show(options, measured,
                chosen_names(options, names_in(document), fmt::format("in \"{}\"", options.from)));
}

// Replays a captured launch, by default to profile its only candidate or the original.
int run_captured(ProfileOptions options, const CommandLine& command_line) {
    if (options.variant.empty() && options.problem.candidates.empty()) options.variant = "original";
    if (!options.json.empty()) json_file(options);
    const MeasuredProfile measured =
        measure_captured_profile(options.own, options.problem, command_line);
    const std::vector<std::string> names = names_in(measured.document);
    if (options.variant.empty() && names.size() > 2)
        throw Error(ExitCode::usage,
                    fmt::format("there are {} candidates: name the one to profile, such as {}",
                                names.size() - 1, names.back()));
    if (options.variant.empty()) options.variant = names.back();
    const auto chosen = chosen_names(options, names, fmt::format("of {}", options.own.reference));
    for (const std::string& name : chosen) require_measured_case(measured.document, name);
    return show(options, measured, chosen);
}

// Chooses the problem that the user's files define.
void choose_own_problem(ProfileOptions& options) {
    RunOptions& run = options.problem;
    if (!run.input.empty() && (!options.own.reference.empty() || !options.own.expected.empty()))
        options.own.inputs.push_back(std::exchange(run.input, ""));
    choose_problem(options.own, options.workload_given, run);
}

int run(ProfileOptions options, const CommandLine& command_line) {
    check_files({{"--from", options.from},
                 {"--ceilings", options.ceilings},
                 {"--input", options.problem.input}},
                {{"--json", options.json}});
    if (options.from.empty())
        choose_reference(options.own, options.workload_given, options.problem);
    if (capture::names_captured_launch(options.own.reference))
        return run_captured(options, command_line);
    if (options.variant.empty() && options.problem.candidates.size() != 1)
        throw Error(ExitCode::usage,
                    "no variant is given: name the variant to profile, or give one --candidate");
    if (!options.from.empty()) return run_from_file(options);
    choose_own_problem(options);
    const auto candidates = candidate_names(options.problem);
    if (options.variant.empty() && candidates.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("{} contains {} variants: name the one to profile, such as {}",
                        options.problem.candidates.front(), candidates.size(), candidates.front()));
    if (options.variant.empty()) options.variant = candidates.front();
    const auto names = chosen_names(options, registered_names(options.problem.workload),
                                    fmt::format("of {}", options.problem.workload));
    // The output file is checked before time is spent on measuring.
    if (!options.json.empty()) json_file(options);
    return show(options, measure_profile(options.problem, names, command_line), names);
}

}  // namespace

void add_profile_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "profile",
        "Show what limits a variant: time, memory traffic, hardware counters and a diagnosis");
    auto options = std::make_shared<ProfileOptions>();
    command
        ->add_option("variant", options->variant,
                     "Variant to profile (default: the kernel given with --candidate)")
        ->type_name("VARIANT")
        ->check(not_empty);
    command->add_option("--against", options->against, "Second variant, shown next to the first")
        ->type_name("VARIANT")
        ->check(not_empty);
    options->problem.add_problem_to(*command, command_line);
    options->problem.add_candidates_to(*command);
    options->own.add_rare_to(*command);
    CLI::Option* from =
        command
            ->add_option(
                "--from", options->from,
                "Read the cases from this results file instead of measuring them; needs no GPU")
            ->type_name("FILE")
            ->check(not_empty);
    // The problem and device are those of the file's cases.
    for (const char* name :
         {"--workload", "--size", "--generations", "--boundary", "--cell", "--rule", "--pattern",
          "--at", "--seed", "--density", "--device", "--candidate", "--reference", "--expect"})
        if (CLI::Option* const option = command->get_option_no_throw(name)) from->excludes(option);
    command
        ->add_option("--ceilings", options->ceilings,
                     "With --from: the device's ceilings, for results that contain none: a card "
                     "(h100, h200) or a file of camber ceilings --json")
        ->type_name("CARD|FILE")
        ->needs(from)
        ->check(not_empty);
    command
        ->add_option("--json", options->json,
                     "Also write the figures and the diagnosis to this file, as JSON")
        ->type_name("FILE")
        ->check(is_file_name);
    command->footer(fmt::format(
        "The limit is {}\n"
        "\n"
        "Examples:\n"
        "  camber profile halo/64x4/align128\n"
        "  camber profile shared_tile/16x16/align128 --against shared_tile/64x4/align128\n"
        "  camber profile global/16x16 --size 2048x2048 --json profile.json\n"
        "  camber profile global/16x16 --from camber-results.json\n"
        "  camber profile --reference pool --candidate mine.cu --against original  (pool: a "
        "capture)",
        profile::rule));
    command->callback([&chosen, &command_line, command, options] {
        options->workload_given = command->count("--workload") > 0;
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
