#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/processes.hpp"
#include "harness/cli/reproduction_page.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string table;
    std::vector<std::string> from;
    std::string format = "table";
    std::string size;
    bool quick = false;
};

// Measures the table's variants as `camber run` does, in a process of its own.
results::ResultSet measure(const published::Table& table, const Options& options,
                           const std::string& program) {
    const std::string size =
        options.size.empty() ? table.camber.value("size", std::string()) : options.size;
    CommandLine command{program, "run", "--workload", published::workload_of(table)};
    if (!size.empty()) command.insert(command.end(), {"--size", size});
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

int run(const Options& options, const CommandLine& command_line) {
    if (options.table.empty()) {
        if (!options.from.empty())
            throw Error(ExitCode::usage,
                        "--from needs a TABLE to set the results beside: see the "
                        "list of camber reproduce");
        return list(options);
    }
    const published::Table& table = published::find_table(published::tables(), options.table);
    std::vector<results::ResultSet> from;
    for (const std::string& path : options.from) from.push_back(results::read_results(path));
    std::string remark;
    bool wrong = false;
    if (from.empty() && wants_times(table)) {
        if (cuda_devices().empty())
            remark = fmt::format(
                "nothing was measured: {}. Times of the simt backend, which runs kernels on the "
                "CPU, say nothing about a GPU; give results of camber run on one with --from FILE. "
                "Without a GPU only counts are reproduced",
                why_no_cuda());
        else
            from.push_back(measure(table, options, command_line.front()));
        wrong = std::ranges::any_of(from, [](const results::ResultSet& set) {
            return std::ranges::any_of(set.cases, [](const results::Case& one) {
                return one.status == results::Status::failed;
            });
        });
    }
    Reproduction made = reproduce(table, from);
    if (!remark.empty()) made.remarks.push_back(remark);
    if (options.format == "json")
        fmt::print("{}\n", to_json(made).dump(2));
    else
        fmt::print("{}", reproduction_page(made, options.format == "markdown" ? PageFormat::markdown
                                                                              : PageFormat::table));
    return static_cast<int>(wrong ? ExitCode::wrong_result : ExitCode::success);
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "reproduce", "Set published tables beside what camber measures, predicts and recomputes");
    auto options = std::make_shared<Options>();
    command->add_option("TABLE", options->table, "Which table; without it all are listed");
    command
        ->add_option("--from", options->from,
                     "Take measured times from this results file instead of measuring; repeatable")
        ->allow_extra_args(false);
    command->add_option("--format", options->format, "How to print")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "markdown", "json"}));
    command->add_option("--size", options->size,
                        "Board to measure, COLUMNSxROWS; the table's own if not given");
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
        "  camber reproduce balasalle-life --from results/h200/workloads/life.json");
    command->callback([&chosen, options, &command_line] {
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
