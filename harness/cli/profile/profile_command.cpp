#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/profile/page.hpp"
#include "harness/cli/profile/source.hpp"
#include "harness/registry/registry.hpp"
#include "harness/results/profile_facts.hpp"
#include "harness/results/profile_json.hpp"
#include "harness/results/results_file.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    RunOptions problem;
    std::string variant;
    std::string against;
    std::string from;      // a results file instead of a measurement
    std::string ceilings;  // a file of `camber ceilings --json` beside it
    std::string json;
};

// Without repetition, in order of first appearance.
std::vector<std::string> names_in(const Json& document) {
    std::vector<std::string> names;
    for (const Json& benchmark : document.at("benchmarks")) {
        if (!benchmark.contains("camber")) continue;  // an aggregate
        const auto name = benchmark.at("camber").at("variant").get<std::string>();
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
}

// Of the program, on any backend, so that a misspelt name is told without a GPU too.
std::vector<std::string> registered_names(const std::string& workload) {
    std::vector<std::string> names;
    for (const Variant& variant : registry().variants()) {
        const VariantInfo& info = variant.info;
        const bool is_kernel =
            variant.factories.contains(Backend::cuda) || variant.factories.contains(Backend::simt);
        // The same name may stand for several cell types.
        if (info.workload == workload && is_kernel &&
            std::ranges::find(names, info.name()) == names.end())
            names.push_back(info.name());
    }
    return names;
}

std::vector<std::string> chosen_names(const Options& options, const std::vector<std::string>& names,
                                      const std::string& place) {
    std::vector<std::string> chosen{the_one(options.variant, names, place)};
    if (options.against.empty()) return chosen;
    chosen.push_back(the_one(options.against, names, place));
    if (chosen[0] == chosen[1])
        throw Error(ExitCode::usage,
                    fmt::format("VARIANT and --against both mean {}: choose two", chosen[0]));
    return chosen;
}

// Puts the figures of `camber ceilings --json` where a run would have stored its own.
void add_ceilings(Json& document, const std::string& path) {
    const Json file = read_results(path);
    const Json& ours = document.at("context").at("camber");
    const Json& theirs = file.at("context").at("camber");
    if (ours.at("gpu").at("name") != theirs.at("gpu").at("name"))
        throw Error(ExitCode::incomparable,
                    fmt::format("\"{}\" has the limits of another GPU, {}, than the results, {}: "
                                "measure them there with camber ceilings",
                                path, theirs.at("gpu").at("name").get<std::string>(),
                                ours.at("gpu").at("name").get<std::string>()));
    Json merged = file.at("ceilings");
    merged.update(ours.at("ceilings"));  // what the run measured itself stays
    document["context"]["camber"]["ceilings"] = merged;
}

std::string describe(const Json& context, const Json& facts) {
    const Json& git = context.at("git");
    return fmt::format(
        "{} {}x{}, {} cells, boundary {}; {}, compute capability {}, {} SMs; measured {}{}",
        facts.at("workload").get<std::string>(), facts.at("size").at("columns").get<int>(),
        facts.at("size").at("rows").get<int>(), facts.at("cell").get<std::string>(),
        facts.at("boundary").get<std::string>(), context.at("gpu").at("name").get<std::string>(),
        context.at("gpu").at("compute_capability").get<std::string>(),
        context.at("gpu").at("sm_count").get<int>(),
        context.at("date").get<std::string>().substr(0, 10),
        git.is_object() ? ", commit " + git.at("commit").get<std::string>().substr(0, 7) : "");
}

ProfiledCase profiled(const Json& document, const std::string& variant) {
    const Json& context = document.at("context").at("camber");
    const Json& benchmark = case_of(document, variant);
    ProfiledCase result{
        describe(context, benchmark.at("camber")), profile_facts(context, benchmark), {}};
    result.diagnosis = diagnose(result.facts);
    return result;
}

void write_json(ResultsFile& file, const Json& document, const std::vector<ProfiledCase>& cases) {
    Json profiles = Json::array();
    for (const ProfiledCase& profiled : cases)
        profiles.push_back(to_json(profiled.facts, profiled.diagnosis));
    file.amend([&](Json& edited) {
        edited = {{"context", document.at("context")}, {"profiles", profiles}};
        if (cases.size() == 2)
            edited["comparison"] = profile::compare(cases[0].facts, cases[1].facts);
    });
}

int show(const Options& options, const ProfileSource& source,
         const std::vector<std::string>& names) {
    std::vector<ProfiledCase> cases;
    for (const std::string& name : names) cases.push_back(profiled(source.document, name));
    std::vector<std::string> remarks = source.remarks;
    if (remarks.empty())
        for (const ProfiledCase& profiled : cases)
            if (profiled.facts.counters.empty())
                remarks.push_back(
                    fmt::format("No counters of {} were read: measure it with camber "
                                "profile, or camber run --counters all.",
                                profiled.facts.variant));
    if (!options.json.empty()) {
        ResultsFile file(options.json, Json::object());
        write_json(file, source.document, cases);
    }
    fmt::print("{}", profile_page(cases, remarks));
    if (!options.json.empty()) fmt::print("figures: {}\n", options.json);
    return static_cast<int>(ExitCode::success);
}

int run_from_file(const Options& options) {
    ProfileSource source;
    source.document = read_results(options.from);
    try {
        if (!options.ceilings.empty()) add_ceilings(source.document, options.ceilings);
        const auto names = chosen_names(options, names_in(source.document),
                                        fmt::format("in \"{}\"", options.from));
        return show(options, source, names);
    } catch (const Json::exception& error) {
        throw Error(ExitCode::usage,
                    fmt::format("\"{}\" does not hold results as camber run writes them: {}",
                                options.from, error.what()));
    }
}

int run(const Options& options, const CommandLine& command_line) {
    if (!options.from.empty()) return run_from_file(options);
    const auto names = chosen_names(options, registered_names(options.problem.workload),
                                    fmt::format("of {}", options.problem.workload));
    // Before time is spent on measuring.
    if (!options.json.empty()) ResultsFile(options.json, Json::object());
    return show(options, measure_profile(options.problem, names, command_line), names);
}

}  // namespace

void add_profile_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "profile", "One page on what limits a variant: time, traffic, counters, a diagnosis");
    auto options = std::make_shared<Options>();
    const auto not_empty = [](const std::string& text) {
        return text.empty() ? std::string("the value is empty") : std::string();
    };
    command->add_option("variant", options->variant, "The variant by name")
        ->required()
        ->type_name("VARIANT")
        ->check(not_empty);
    command->add_option("--against", options->against, "A second variant, shown beside the first")
        ->type_name("VARIANT")
        ->check(not_empty);
    options->problem.add_problem_to(*command);
    CLI::Option* from =
        command
            ->add_option("--from", options->from,
                         "Take the cases from this results file instead of measuring; needs no GPU")
            ->type_name("FILE")
            ->check(not_empty);
    // The file's cases have their problem and device already.
    for (const char* name : {"--workload", "--size", "--generations", "--boundary", "--cell",
                             "--pattern", "--at", "--seed", "--density", "--device"})
        from->excludes(command->get_option(name));
    command
        ->add_option(
            "--ceilings", options->ceilings,
            "With --from: the device's limits from a file of camber ceilings --json, where "
            "the results have none")
        ->type_name("FILE")
        ->needs(from)
        ->check(not_empty);
    command->add_option("--json", options->json, "Also write facts and diagnosis to this file")
        ->type_name("FILE")
        ->check(not_empty);
    command->footer(fmt::format(
        "The limit is {}\n"
        "\n"
        "Examples:\n"
        "  camber profile halo/64x4/align128\n"
        "  camber profile shared_tile/16x16/align128 --against shared_tile/64x4/align128\n"
        "  camber profile global/16x16 --size 2048x2048 --json profile.json\n"
        "  camber profile global/16x16 --from camber-results.json",
        profile::rule));
    command->callback([&chosen, &command_line, options] {
        chosen = [&command_line, options] { return run(*options, command_line); };
    });
}

}  // namespace camber
