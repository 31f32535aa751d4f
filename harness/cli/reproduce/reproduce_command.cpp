#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/run/processes.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string table;
    std::vector<std::string> from;
    std::string format = "table";
    std::string size;
    std::string input;
    std::vector<std::string> parameters;
    int generations = 0;  // 0: as the table says
    bool quick = false;
};

// How the table itself is measured where the options do not say; its parameters come first, so
// that those of the options have the last word.
void add_conditions(CommandLine& command, const published::Table& table, const Options& options,
                    const std::string& cell) {
    const auto add = [&](const char* name, const std::string& value) {
        command.insert(command.end(), {name, value});
    };
    const std::string size =
        options.size.empty() ? table.camber.value("size", std::string()) : options.size;
    if (!size.empty()) add("--size", size);
    if (!cell.empty()) add("--cell", cell);
    const Json run = table.camber.value("run", Json::object());
    const int generations =
        options.generations > 0 ? options.generations : run.value("generations", 0);
    if (generations > 0) add("--generations", std::to_string(generations));
    if (run.value("from_start", false)) command.push_back("--from-start");
    if (options.input.empty()) {
        if (run.contains("density")) add("--density", run["density"].dump());
    } else {
        add("--input", options.input);
    }
    for (const std::string& parameter : run.value("parameters", std::vector<std::string>()))
        add("--param", parameter);
    for (const std::string& parameter : options.parameters) add("--param", parameter);
}

// The types of cells that the table is about; "" for the workload's own.
std::vector<std::string> cells_of(const published::Table& table) {
    std::vector<std::string> cells;
    const auto add = [&](const std::string& cell) {
        if (!cell.empty() && std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    };
    add(table.camber.value("cell", std::string()));
    for (const published::Column& column : table.columns)
        if (column.camber.is_object()) add(column.camber.value("cell", std::string()));
    return cells.empty() ? std::vector<std::string>{""} : cells;
}

// Measures the table's variants as `camber run` does, in a process of its own.
results::ResultSet measure(const published::Table& table, const Options& options,
                           const std::string& program, const std::string& cell) {
    CommandLine command{program, "run", "--workload", published::workload_of(table)};
    add_conditions(command, table, options, cell);
    if (options.quick) command.push_back("--quick");
    for (const std::string& variant : published::variants_of(table))
        command.insert(command.end(), {"--variant", variant});
    return results::parse_results(run_process(command, 0, 1), "measured now");
}

int list(const Options& options) {
    const auto& tables = published::tables();
    if (options.format == "json") {
        Json json = Json::array();
        for (const published::Table& table : tables)
            json.push_back({{"table", table.id},
                            {"source", table.source},
                            {"title", table.title},
                            {"place", table.place},
                            {"here", what_is_here(table)}});
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}",
                   published_tables_page(tables, options.format == "markdown" ? PageFormat::markdown
                                                                              : PageFormat::table));
    }
    return static_cast<int>(ExitCode::success);
}

// What is made of one table, and whether a variant was found to be wrong on the way.
struct Made {
    Reproduction reproduction;
    bool wrong = false;
};

Made make(const published::Table& table, const Options& options,
          std::vector<results::ResultSet> from, const std::string& program) {
    std::string remark;
    Made made;
    if (from.empty() && wants_times(table)) {
        if (cuda_devices().empty())
            remark = fmt::format(
                "nothing was measured: {}. Times of the simt backend, which runs kernels on the "
                "CPU, say nothing about a GPU; give results of camber run on one with --from FILE. "
                "Without a GPU only counts are reproduced",
                why_no_cuda());
        else
            for (const std::string& cell : cells_of(table))
                from.push_back(measure(table, options, program, cell));
        made.wrong = std::ranges::any_of(from, [](const results::ResultSet& set) {
            return std::ranges::any_of(set.cases, [](const results::Case& one) {
                return one.status == results::Status::failed;
            });
        });
    }
    made.reproduction = reproduce(table, from);
    if (!remark.empty()) made.reproduction.remarks.push_back(remark);
    return made;
}

// The tables of a file, or the one of that name.
std::vector<const published::Table*> chosen_tables(const std::string& name) {
    const auto& all = published::tables();
    const auto of_file = published::tables_of_file(all, name);
    return of_file.empty() ? std::vector{&published::find_table(all, name)} : of_file;
}

int run(const Options& options, const CommandLine& command_line) {
    if (options.table.empty()) {
        if (!options.from.empty())
            throw Error(ExitCode::usage,
                        "--from needs a TABLE to set the results beside: see the "
                        "list of camber reproduce");
        return list(options);
    }
    const auto tables = chosen_tables(options.table);
    std::vector<results::ResultSet> from;
    for (const std::string& path : options.from) from.push_back(results::read_results(path));
    bool wrong = false;
    Json documents = Json::array();
    for (const published::Table* table : tables) {
        const Made made = make(*table, options, from, command_line.front());
        wrong = wrong || made.wrong;
        if (options.format == "json")
            documents.push_back(to_json(made.reproduction));
        else
            fmt::print("{}{}", table == tables.front() ? "" : "\n",
                       reproduction_page(made.reproduction, options.format == "markdown"
                                                                ? PageFormat::markdown
                                                                : PageFormat::table));
    }
    if (options.format == "json")
        fmt::print("{}\n", (tables.size() == 1 ? documents.front() : documents).dump(2));
    return static_cast<int>(wrong ? ExitCode::wrong_result : ExitCode::success);
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "reproduce", "Set published tables beside what camber measures, predicts and recomputes");
    auto options = std::make_shared<Options>();
    command->add_option("TABLE", options->table,
                        "Which table, or a file of them for all of its tables; without it all are "
                        "listed");
    command
        ->add_option("--from", options->from,
                     "Take measured times from this results file instead of measuring; repeatable")
        ->allow_extra_args(false);
    command->add_option("--format", options->format, "How to print")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "markdown", "json"}));
    command->add_option("--size", options->size,
                        "Board to measure, COLUMNSxROWS; the table's own if not given");
    command->add_option("--input", options->input,
                        "Start from a file, not from generated cells, as camber run does");
    command
        ->add_option("--param", options->parameters,
                     "A parameter of the workload as NAME=NUMBER[,NUMBER...]; repeatable")
        ->allow_extra_args(false);
    command
        ->add_option("--generations", options->generations,
                     "Generations to measure; the table's own if not given")
        ->check(CLI::Range(1, 1 << 30));
    command->add_flag("--quick", options->quick, "Measure fewer samples");
    command->footer(
        "Where the table has times, its variants are measured on the GPU of this machine, as "
        "camber run does.\n"
        "Counts of memory accesses are predicted, and scaling tables recomputed, on any machine.\n"
        "\n"
        "Examples:\n"
        "  camber reproduce                    all tables, and what camber has of each\n"
        "  camber reproduce topa-1             counts of transactions, printed and predicted\n"
        "  camber reproduce rustico-6.1        speedup, efficiency, Karp-Flatt: recomputed\n"
        "  camber reproduce magflow-6 --input etna2001 --generations 5000\n"
        "  camber reproduce bilotta-2011       all tables of that file\n"
        "  camber reproduce balasalle-life --from results/h200/workloads/life.json");
    command->callback([&chosen, options, &command_line] {
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
