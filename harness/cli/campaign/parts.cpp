#include "harness/cli/campaign/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

RunOptions parsed(CommandLine words) {
    CLI::App app;
    RunOptions options;
    options.add_to(app, words);
    std::ranges::reverse(words);  // the order that CLI11 expects
    app.parse(words);
    return options;
}

CommandLine command_of(const RunOptions& options) {
    CommandLine words = words_of(options);
    words.insert(words.begin(), {"camber", "run"});
    return words;
}

// Clamps the board size to `most`.
void limit_size(RunOptions& options, int most) {
    if (options.size.empty() || options.size.find_first_of(",.") != std::string::npos)
        return;  // default size, or a series of sizes
    const Size size = parse_size(options.size);
    options.size = fmt::format("{}x{}", std::min(size.columns, most), std::min(size.rows, most));
}

// Uses the backend's default size for a workload whose parameters determine the problem size.
void take_usual_size(RunOptions& options) {
    options.size = "";
    const Workload* const workload = find_workload(options.workload);
    const ParameterStart* const start =
        workload ? workload->capabilities().parameter_start : nullptr;
    if (!start) return;
    const std::string named = std::string(start->size_parameter()) + "=";
    std::erase_if(options.parameters,
                  [&](const std::string& parameter) { return parameter.starts_with(named); });
}

// Adapts the options to the campaign's backend; returns the reason if the part cannot run there.
std::string fit(RunOptions& options, const CampaignSettings& settings) {
    options.quick = options.quick || settings.quick;
    if (settings.backend == "cuda") {
        if (settings.gpus && options.group.gpus > *settings.gpus)
            return fmt::format("it needs {} GPUs, and this machine has {}", options.group.gpus,
                               *settings.gpus);
        if (!settings.quick) return "";
        constexpr int steps = 200;
        if (options.from_start) options.generations = std::min(options.generations, steps);
        options.begin = std::min(options.begin, steps);
        options.reference_generations = 0;
        limit_size(options, 2048);
        return "";
    }
    if (!options.counters.empty()) return "hardware counters need a GPU";
    if (!options.input.empty()) return "a map of this size takes too long without a GPU";
    if (options.cache != "hot") return "an L2 cache to empty needs a GPU";
    if (settings.backend == "simt" && options.backend == "cpu")
        return "the simt backend measures no times";
    if (settings.backend == "cpu" && options.graph) return "graphs need a GPU";
    if (settings.backend == "cpu" && !options.group.words().empty())
        return "the plain references are divided among no GPUs";
    options.backend = settings.backend;
    take_usual_size(options);
    options.generations = 0;
    options.begin = 0;
    options.rounds = 0;
    options.states = 0;
    options.reference_generations = 0;
    options.whole.clear();
    if (settings.backend == "simt") options.from_start = false;
    if (settings.backend == "cpu") options.variants.clear();  // this backend has only references
    return "";
}

std::string cell_of(const RunOptions& options) {
    const Workload* workload = find_workload(options.workload);
    if (!options.cell.empty() || workload == nullptr) return options.cell;
    return std::string(info(workload->facts().cell_types.front()).name);
}

// True if the part measures everything that a run with the options `want` would: the same problem,
// with all variants.
bool brings(RunOptions have, RunOptions want) {
    if (!have.variants.empty()) return false;
    want.variants.clear();
    for (RunOptions* run : {&have, &want}) {
        run->cell = cell_of(*run);
        run->rounds = 0;
        run->quick = false;
    }
    if (want.generations == 0) have.generations = 0;
    return words_of(have) == words_of(want);
}

// Measurements that published tables need under equal conditions, and the names of these tables.
struct TableRun {
    RunOptions options;
    std::vector<std::string> tables;
};

void add(std::vector<TableRun>& runs, RunOptions options, const std::string& table) {
    const auto problem = [](RunOptions run) {
        run.variants.clear();
        return words_of(run);
    };
    auto into = std::ranges::find_if(
        runs, [&](const TableRun& run) { return problem(run.options) == problem(options); });
    if (into == runs.end()) into = runs.insert(into, {options, {}});
    for (const std::string& variant : options.variants)
        if (std::ranges::find(into->options.variants, variant) == into->options.variants.end())
            into->options.variants.push_back(variant);
    if (into->tables.empty() || into->tables.back() != table) into->tables.push_back(table);
}

std::vector<TableRun> table_runs() {
    std::vector<TableRun> runs;
    for (const published::Table& table : published::tables()) {
        if (!wants_times(table)) continue;
        for (const std::string& cell : cells_of(table))
            for (const RunOptions& options : runs_of(table, options_of(table, cell)))
                // Whole eruptions need their ground, with which the list has parts.
                if (options.states == table.here.states) add(runs, options, table.id);
    }
    return runs;
}

// Lets the part leave out dominated variants, if predictions apply to the part: all variants of a
// workload, timed launch by launch. Variants that published tables need are always measured.
void let_leave_out(RunOptions& options) {
    const Workload* const workload = find_workload(options.workload);
    if (!options.variants.empty() || !options.counters.empty() || !options.input.empty() ||
        options.graph || options.from_start || options.cache != "hot" ||
        options.backend != "auto" || options.intervals > 0 || !options.group.words().empty() ||
        !workload || !workload->capabilities().board_fields)
        return;
    std::vector<std::string> keep;
    for (const TableRun& run : table_runs())
        if (brings(options, run.options)) {
            if (run.options.variants.empty()) return;  // all variants are needed
            keep.insert(keep.end(), run.options.variants.begin(), run.options.variants.end());
        }
    options.leave_out_dominated = true;
    options.keep = std::move(keep);
}

// Number of GPUs of the listed parts over several GPUs. Campaigns with more GPUs have further parts
// for each number.
constexpr int listed_gpus = 2;

// "-2gpus", a suffix in the names of parts over several GPUs.
std::string gpus_suffix(int gpus) {
    return fmt::format("-{}gpus", gpus);
}

// Replaces the first occurrence of `from`.
std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
    if (const auto at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
    return text;
}

bool is_over_gpus(const ListedPart& listed) {
    return listed.command.front() == "run" &&
           std::ranges::find(listed.command, "--gpus") != listed.command.end();
}

// Adapts a part to another number of GPUs. The sample duration shrinks so that a sample has about
// as many generations on each number of GPUs.
void put_on_gpus(RunOptions& options, int gpus) {
    const double seconds = options.sample_seconds * options.group.gpus / gpus;
    options.sample_seconds = std::round(100 * seconds) / 100;
    options.group.gpus = gpus;
}

// `gpus`: number of GPUs if the part uses several.
Part part_of(const ListedPart& listed, const CampaignSettings& settings, int gpus = listed_gpus) {
    Part part;
    part.name = with_replaced(listed.name, gpus_suffix(listed_gpus), gpus_suffix(gpus));
    part.purpose = with_replaced(listed.purpose, fmt::format("{} GPUs", listed_gpus),
                                 fmt::format("{} GPUs", gpus));
    CommandLine words = listed.command;
    const std::string command = words.front();
    if (command != "run") {
        part.group = command == "scale" ? "scaling" : "limits";
        part.command = std::move(words);
        part.command.insert(part.command.begin(), "camber");
        if (settings.backend != "cuda" && !(part.on_cpu() && settings.backend == "cpu"))
            part.left_out = "it measures a GPU";
        else if (part.has("--over", "gpus") &&
                 std::min(settings.gpus.value_or(listed_gpus), settings.most_gpus) < listed_gpus)
            part.left_out = "it measures several GPUs";
        if (settings.quick && command == "scale") part.command.emplace_back("--quick");
        return part;
    }
    words.erase(words.begin());
    RunOptions options = parsed(std::move(words));
    if (options.group.gpus > 0)
        part.alone = part.name.substr(0, part.name.rfind(gpus_suffix(gpus)));
    if (gpus != listed_gpus) put_on_gpus(options, gpus);
    part.group = options.workload;
    if (!listed.data.empty()) {
        const auto folder = settings.data.find(listed.data);
        options.input = folder != settings.data.end() ? folder->second : "FOLDER";
        if (folder == settings.data.end())
            part.left_out =
                fmt::format("its terrain is no part of camber: give {} FOLDER", listed.data);
    }
    const std::string why = fit(options, settings);
    if (part.left_out.empty()) part.left_out = why;
    if (settings.budgeted && part.left_out.empty() && settings.backend == "cuda")
        let_leave_out(options);
    part.command = command_of(options);
    return part;
}

// Unique name of a part: the table, and the options that distinguish this run from others.
std::string name_among(const std::vector<Part>& parts, const TableRun& run) {
    const RunOptions& options = run.options;
    std::string name = "table-" + run.tables.front();
    const std::string ground = text_value(options.workload_options, "ground");
    for (const std::string& part : {options.cell, ground, options.size})
        if (!part.empty()) name += "-" + part;
    if (options.backend == "cpu") name += "-cpu";
    const auto taken = [&](const std::string& candidate) {
        return std::ranges::find(parts, candidate, &Part::name) != parts.end();
    };
    std::string unique = name;
    for (int number = 2; taken(unique); ++number) unique = fmt::format("{}-{}", name, number);
    return unique;
}

// Maximum number of generations from the start that programs on the CPU are verified after, if they
// are timed from saved states.
constexpr int most_cpu_generations = 100;

// Adds the parts that published tables need, either those that measure the plain reference on the
// CPU or all others.
void add_tables(std::vector<Part>& parts, const CampaignSettings& settings, bool on_cpu) {
    std::vector<RunOptions> listed;
    for (const ListedPart& part : listed_parts().parts) {
        CommandLine words = part.command;
        if (words.front() != "run" || !part.data.empty()) continue;
        words.erase(words.begin());
        listed.push_back(parsed(std::move(words)));
    }
    for (TableRun& run : table_runs()) {
        if ((run.options.backend == "cpu") != on_cpu) continue;
        if (std::ranges::any_of(listed,
                                [&](const RunOptions& have) { return brings(have, run.options); }))
            continue;
        Part part;
        part.name = name_among(parts, run);
        part.group = run.options.workload;
        part.purpose =
            fmt::format("What the published table{} {} need{}.", run.tables.size() == 1 ? "" : "s",
                        fmt::join(run.tables, ", "), run.tables.size() == 1 ? "s" : "");
        // On the CPU a generation takes long, and all generations take the same time.
        if (run.options.backend == "cpu") {
            run.options.quick = true;
            if (!run.options.from_start) run.options.generations = 1;
            // Each saved state is verified as well.
            if (run.options.states > 0)
                run.options.reference_generations =
                    std::min(run.options.reference_generations, most_cpu_generations);
        }
        part.left_out = fit(run.options, settings);
        part.command = command_of(run.options);
        parts.push_back(std::move(part));
    }
}

Error unknown_part(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = suggestion(name, known);
    return {ExitCode::usage,
            fmt::format("'{}' is no part of a campaign and no workload{}", name,
                        near.empty() ? ": camber campaign --list names all" : near)};
}

}  // namespace

bool Part::leaves_out() const {
    return std::ranges::find(command, "--leave-out-hopeless") != command.end();
}

bool Part::has(const char* option, const char* value) const {
    const auto found = std::ranges::find(command, option);
    return found != command.end() && found + 1 != command.end() && *(found + 1) == value;
}

bool Part::on_cpu() const {
    return has("--backend", "cpu") || has("--over", "threads");
}

bool Part::wants_whole_machine() const {
    return std::ranges::find(command, "--gpus") != command.end() || has("--over", "gpus") ||
           on_cpu() || group == "transfer_overlap";
}

const std::map<std::string, std::string>& campaign_data() {
    return listed_parts().data;
}

std::vector<Part> campaign_parts(const CampaignSettings& settings) {
    std::vector<Part> parts;
    for (const ListedPart& listed : listed_parts().parts) {
        if (!listed.tables_first.empty()) add_tables(parts, settings, listed.tables_first == "cpu");
        if (!is_over_gpus(listed)) {
            parts.push_back(part_of(listed, settings));
            continue;
        }
        for (int gpus = listed_gpus; gpus <= settings.most_gpus; ++gpus)
            parts.push_back(part_of(listed, settings, gpus));
    }
    // Without a GPU, many parts shrink to the same small board.
    for (std::size_t k = 0; k < parts.size(); ++k)
        for (std::size_t before = 0; before < k && parts[k].left_out.empty(); ++before)
            if (parts[before].left_out.empty() && parts[before].command == parts[k].command)
                parts[k].left_out = fmt::format("it is the same as {} here", parts[before].name);
    return parts;
}

std::vector<Part> chosen_parts(std::vector<Part> parts, const std::vector<std::string>& only) {
    if (only.empty()) return parts;
    std::vector<std::string> known;
    for (const Part& part : parts)
        for (const std::string& name : {part.group, part.name})
            if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    const auto is_known = [&](const std::string& name) {
        return std::ranges::find(known, name) != known.end();
    };
    const auto is_meant = [&](const Part& part, const std::string& name) {
        if (is_known(name)) return name == part.name || name == part.group;
        return part.name.starts_with(name + "-");
    };
    for (const std::string& name : only)
        if (std::ranges::none_of(parts, [&](const Part& part) { return is_meant(part, name); }))
            throw unknown_part(name, known);
    std::erase_if(parts, [&](const Part& part) {
        return std::ranges::none_of(only,
                                    [&](const std::string& name) { return is_meant(part, name); });
    });
    return parts;
}

// parts.json, which cmake/Campaigns.cmake embeds.
std::string_view part_list_text();

PartList read_part_list(std::string_view text) {
    const auto json = nlohmann::json::parse(text);
    PartList list;
    json.at("data").get_to(list.data);
    for (const auto& entry : json.at("parts")) {
        ListedPart& part = list.parts.emplace_back();
        entry.at("name").get_to(part.name);
        entry.at("purpose").get_to(part.purpose);
        part.data = entry.value("data", "");
        part.tables_first = entry.value("tables_first", "");
        std::istringstream words(entry.at("command").get<std::string>());
        part.command.assign(std::istream_iterator<std::string>(words), {});
        if (!entry.contains("variants")) continue;
        const auto& named = entry.at("variants");
        const auto& variants =
            named.is_string() ? json.at("variant_sets").at(named.get<std::string>()) : named;
        for (const auto& variant : variants)
            part.command.insert(part.command.end(), {"--variant", variant.get<std::string>()});
    }
    return list;
}

const PartList& listed_parts() {
    static const PartList list = read_part_list(part_list_text());
    return list;
}

}  // namespace camber
