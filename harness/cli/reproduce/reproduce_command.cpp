// Command `camber reproduce`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/reproduce/page.hpp"
#include "harness/cli/reproduce/reproduction.hpp"
#include "harness/cli/reproduce/sources.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/session.hpp"

namespace camber {

namespace {

struct ReproduceOptions {
    std::vector<std::string> tables;
    std::vector<std::string> from;
    std::string format = "table";
    std::string size;
    std::string input;
    std::vector<std::string> parameters;
    int generations = 0;  // 0: the table's number
    bool quick = false;
    bool questions = false;
    bool predict = false;
};

// Options of the table, overridden by those of the command line.
RunOptions run_options(const published::Table& table, const ReproduceOptions& options,
                       const std::string& cell) {
    RunOptions run = options_of(table, cell);
    if (!options.size.empty()) run.size = options.size;
    if (options.generations > 0) run.generations = options.generations;
    run.reference_generations = std::min(run.reference_generations, run.generations);
    run.input = options.input;
    if (!options.input.empty()) run.density.reset();
    run.parameters = options.parameters;
    for (const std::string& ours : table.here.parameters) {
        const auto name = ours.substr(0, ours.find('=') + 1);
        if (std::ranges::none_of(options.parameters,
                                 [&](const std::string& given) { return given.starts_with(name); }))
            run.parameters.push_back(ours);
    }
    run.quick = options.quick;
    return run;
}

// Sample duration in which water can move: about two thousand iterations of a million particles on
// one GPU.
constexpr double seconds_of_moving_water = 2;

// Measures as `camber run` does.
results::Document measure(const RunOptions& options, const CommandLine& command_line) {
    const Study study = study_from(options);
    Progress progress;
    Narrator narrator(study, progress);
    Session session(study, narrator);
    results::ResultsFile measured;
    session.run(measured, command_line);
    progress.clear();
    if (stop_signal() != 0) say_stopped(measured.document());
    for (const std::string& sentence : describe_failures(session.failures())) say_error(sentence);
    results::Document document = measured.document();
    document.source = "measured now";
    return document;
}

int list(const ReproduceOptions& options) {
    const auto& tables = published::tables();
    if (options.format == "json") {
        print_verbatim(tables_text(tables) + "\n");
    } else if (options.format == "markdown") {
        print_verbatim(published_tables_page(tables, PageFormat::markdown));
    } else {
        fmt::print("{}", published_tables_page(tables, PageFormat::table));
    }
    return static_cast<int>(ExitCode::success);
}

// Reproduction of one table. `wrong` is set if a variant failed verification.
struct Made {
    Reproduction reproduction;
    bool wrong = false;
};

bool has_wrong_variant(const results::Document& document) {
    return std::ranges::any_of(document.cases, [](const results::CaseRecord& record) {
        return record.status == results::Status::failed;
    });
}

// Measures, on a single GPU, the variants that are compared with the printed entries for one unit.
results::Document measure_one_gpu(const published::Table& table, const ReproduceOptions& options,
                                  const CommandLine& command_line) {
    RunOptions run = run_options(table, options, table.here.cell);
    run.variants = table.here.one_gpu;
    // The parameters determine the number of particles.
    if (options.size.empty()) run.size.clear();
    run.sample_seconds = seconds_of_moving_water;
    return measure(run, command_line);
}

// Measures a scaling table on 1, 2, ... GPUs, up to the number in this machine or in the table.
Made make_series(const published::Table& table, const ReproduceOptions& options,
                 const CommandLine& command_line) {
    Made made;
    const std::size_t gpus = cuda_devices().size();
    if (gpus < 2) {
        made.reproduction = reproduce(table, std::vector<published::Card>());
        made.reproduction.remarks.push_back(fmt::format(
            "nothing was measured: a series over GPUs needs at least two, and {}; give results of "
            "camber scale --over gpus with --from FILE",
            gpus == 0 ? why_no_cuda() : "this machine has one"));
        return made;
    }
    std::vector<int> counts(std::min(gpus, published::most_units(table)));
    std::iota(counts.begin(), counts.end(), 1);
    RunOptions run = run_options(table, options, table.here.cell);
    if (wants_one_gpu(table)) run.sample_seconds = seconds_of_moving_water;
    std::vector<results::Document> now =
        measure_series(table, std::move(run), counts, command_line);
    if (wants_one_gpu(table) && stop_signal() == 0)
        now.push_back(measure_one_gpu(table, options, command_line));
    made.wrong = std::ranges::any_of(now, has_wrong_variant);
    made.reproduction = reproduce(table, published::by_card(std::move(now)));
    return made;
}

// Measures the entries of a scaling table for a single GPU.
Made make_one_gpu(const published::Table& table, const ReproduceOptions& options,
                  const std::vector<published::Card>& cards, const CommandLine& command_line) {
    Made made;
    if (cuda_devices().empty()) {
        made.reproduction = reproduce(table, cards);
        made.reproduction.remarks.push_back(
            fmt::format("nothing was measured: {}; give results of camber run with --from FILE",
                        why_no_cuda()));
        return made;
    }
    std::vector<results::Document> now{measure_one_gpu(table, options, command_line)};
    made.wrong = has_wrong_variant(now.front());
    made.reproduction = reproduce(table, published::by_card(std::move(now)));
    return made;
}

Made make(const published::Table& table, const ReproduceOptions& options,
          const std::vector<published::Card>& cards, const CommandLine& command_line) {
    Made made;
    if (options.predict && options.from.empty()) {  // replaces a measurement
        made.reproduction = reproduce(table, cards);
        return made;
    }
    // A machine with one GPU measures the table's entries for one unit, if it has variants for
    // them.
    const bool alone = wants_one_gpu(table) && cuda_devices().size() < 2;
    if (options.from.empty() && wants_series(table) && !alone)
        return make_series(table, options, command_line);
    if (options.from.empty() && wants_one_gpu(table))
        return make_one_gpu(table, options, cards, command_line);
    if (!options.from.empty() || !wants_times(table) || cuda_devices().empty()) {
        made.reproduction = reproduce(table, cards);
        if (options.from.empty() && wants_times(table))
            made.reproduction.remarks.push_back(
                fmt::format("nothing was measured: {}. Without a GPU, only counts are reproduced; "
                            "give results of "
                            "camber run on a GPU with --from FILE",
                            why_no_cuda()));
        return made;
    }
    std::vector<results::Document> now;
    std::vector<std::string> remarks;
    for (const std::string& cell : cells_of(table))
        for (const RunOptions& run : runs_of(table, run_options(table, options, cell))) {
            if (run.group.gpus > static_cast<int>(cuda_devices().size())) {
                remarks.push_back(
                    fmt::format("entries for {} GPUs were not measured: this machine "
                                "has {}",
                                run.group.gpus, cuda_devices().size()));
                continue;
            }
            results::Document document = measure(run, command_line);
            // Only times within one document are compared, so cases of the same problem are
            // combined.
            if (run.group.gpus > 0 && !now.empty())
                std::ranges::move(document.cases, std::back_inserter(now.back().cases));
            else
                now.push_back(std::move(document));
        }
    made.wrong = std::ranges::any_of(now, has_wrong_variant);
    made.reproduction = reproduce(table, published::by_card(std::move(now)));
    std::ranges::move(remarks, std::back_inserter(made.reproduction.remarks));
    return made;
}

// If there are several tables, those without a card of their source are skipped.
void predict(Reproduction& made, const ReproduceOptions& options) {
    made.predicted = predict_on_source_cards(*made.table, options.size);
    if (made.predicted.empty())
        made.remarks.push_back(
            "no predicted times: the table names no card of results/published-cards, or its "
            "variants differ only in ways that the model does not cover");
}

// Distinct tables: those of a file, or the one with that name; all tables if no name is given.
std::vector<const published::Table*> chosen_tables(const std::vector<std::string>& names) {
    const auto& all = published::tables();
    std::vector<const published::Table*> chosen;
    const auto add = [&](const published::Table& table) {
        if (std::ranges::find(chosen, &table) == chosen.end()) chosen.push_back(&table);
    };
    for (const std::string& name : names) {
        const auto of_file = published::tables_of_file(all, name);
        for (const published::Table* table : of_file) add(*table);
        if (of_file.empty()) add(published::find_table(all, name));
    }
    if (names.empty())
        for (const published::Table& table : all) add(table);
    return chosen;
}

// Throws for measurement options that are invalid or have no effect.
void check_measuring_options(const ReproduceOptions& options,
                             const std::vector<const published::Table*>& tables) {
    if (!options.size.empty()) parse_size(options.size);
    const bool measures =
        options.from.empty() && !options.predict &&
        std::ranges::any_of(tables, [](const published::Table* table) {
            return wants_times(*table) || wants_series(*table) || wants_one_gpu(*table);
        });
    const char* vain = !options.size.empty() && !options.predict ? "--size"
                       : !options.input.empty()                  ? "--input"
                       : !options.parameters.empty()             ? "--param"
                       : options.generations > 0                 ? "--generations"
                       : options.quick                           ? "--quick"
                                                                 : nullptr;
    if (vain && !measures)
        throw Error(ExitCode::usage,
                    fmt::format("{} says how to measure, and nothing is measured for '{}'{}: leave "
                                "it out",
                                vain, fmt::join(options.tables, " "),
                                options.from.empty() ? "" : " with --from"));
}

int print_questions(const std::vector<const published::Table*>& tables,
                    const ReproduceOptions& options, const std::vector<published::Card>& cards) {
    if (options.format == "json")
        print_verbatim(questions_text(published::questions(tables, cards), cards) + "\n");
    else if (options.format == "markdown")
        print_verbatim(questions_page(cards, PageFormat::markdown, tables));
    else
        fmt::print("{}", questions_page(cards, PageFormat::table, tables));
    return static_cast<int>(ExitCode::success);
}

int run(const ReproduceOptions& options, const CommandLine& command_line) {
    if (options.questions && options.from.empty())
        throw Error(ExitCode::usage,
                    "--questions needs results: give a results file or a folder with --from");
    if (options.predict && (options.questions || options.tables.empty()))
        throw Error(ExitCode::usage,
                    "--predict needs a TABLE and cannot be combined with --questions: write for "
                    "example camber reproduce balasalle-life --predict");
    if (options.tables.empty() && !options.questions) {
        if (!options.from.empty())
            throw Error(ExitCode::usage,
                        "--from needs a TABLE to compare the results with: camber reproduce "
                        "lists the tables");
        return list(options);
    }
    const auto tables = chosen_tables(options.tables);
    check_measuring_options(options, tables);
    const auto cards = published::by_card(documents_from(options.from));
    if (options.questions) return print_questions(tables, options, cards);
    const StopSignals signals;
    bool wrong = false;
    int shown = 0;
    std::vector<Reproduction> all;  // collected because JSON is printed at the end
    for (const published::Table* table : tables) {
        Made made;
        try {
            check_stop();
            made = make(*table, options, cards, command_line);
            if (options.predict) predict(made.reproduction, options);
        } catch (const Stopped&) {
            if (shown == 0) throw;
            say_stopped(shown, static_cast<int>(tables.size()), "tables shown");
            break;
        }
        ++shown;
        wrong = wrong || made.wrong;
        if (options.format == "json")
            all.push_back(made.reproduction);
        else if (options.format == "markdown")
            print_verbatim((table == tables.front() ? "" : "\n") +
                           reproduction_page(made.reproduction, PageFormat::markdown));
        else
            fmt::print("{}{}", table == tables.front() ? "" : "\n",
                       reproduction_page(made.reproduction, PageFormat::table));
    }
    if (options.format == "json") print_verbatim(reproductions_text(all) + "\n");
    return static_cast<int>(wrong ? ExitCode::wrong_result : ExitCode::success);
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    CLI::App* command = app.add_subcommand(
        "reproduce", "Compare published tables with what camber measures, predicts and recomputes");
    auto options = std::make_shared<ReproduceOptions>();
    command->add_option("TABLE", options->tables,
                        "Table, or file of tables (default: list all tables)");
    command
        ->add_option(
            "--from", options->from,
            "Read measured times from this results file, or from all files in this folder, "
            "instead of measuring; repeatable: one column per GPU")
        ->allow_extra_args(false);
    command->add_option("--format", options->format, "Output format")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "markdown", "json"}));
    command->add_option("--size", options->size,
                        "Board to measure or to predict, COLUMNSxROWS (default: the table's)");
    command->add_option("--input", options->input,
                        "Read the initial state from a file, as camber run does");
    command
        ->add_option("--param", options->parameters,
                     "Workload parameter as NAME=NUMBER[,NUMBER...]; repeatable")
        ->allow_extra_args(false);
    command
        ->add_option("--generations", options->generations,
                     "Generations to measure (default: the table's)")
        ->check(CLI::Range(1, 1 << 30));
    command->add_flag(
        "--questions", options->questions,
        "With --from: outcome of every published conclusion on each GPU, and the reason");
    command->add_flag(
        "--predict", options->predict,
        "Predict times on the card of the source instead of measuring, and report which "
        "of the published rankings the model explains");
    command->add_flag("--quick", options->quick, "Measure fewer samples");
    command->footer(
        "If the table has times, its variants are measured on the GPU of this machine, as by "
        "camber run.\n"
        "Counts of memory accesses are predicted, and scaling tables recomputed, on any machine.\n"
        "\n"
        "Examples:\n"
        "  camber reproduce                    all tables, and what camber has of each\n"
        "  camber reproduce topa-1             counts of transactions, printed and predicted\n"
        "  camber reproduce rustico-6.1        speedup, efficiency, Karp-Flatt: recomputed\n"
        "  camber reproduce rustico-6.1 --input after-magflow    and measured on several GPUs\n"
        "  camber reproduce rustico-8.3        particles: balanced and not, on several GPUs\n"
        "  camber reproduce magflow-6 --input examples/eruption --generations 200\n"
        "  camber reproduce bilotta-2011       all tables of that file\n"
        "  camber reproduce balasalle-life --from results/h200/life.json\n"
        "  camber reproduce balasalle-life --predict    on the GTX 285 of 2011\n"
        "  camber reproduce balasalle-life --from results/h200 --from results/h100\n"
        "  camber reproduce --questions --from results/h200");
    command->callback([&chosen, options, &command_line] {
        chosen = [options, &command_line] { return run(*options, command_line); };
    });
}

}  // namespace camber
