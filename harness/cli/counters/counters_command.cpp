// Command `camber counters`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "harness/base/error.hpp"
#include "harness/base/text/table.hpp"
#include "harness/cli/commands.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/metric_sets.hpp"

namespace camber {

namespace {

using counters::ChipMetrics;
using counters::ChosenMetric;
using counters::MetricPlan;
using counters::MetricSet;

constexpr const char* default_chip = "GH100";

struct CountersOptions {
    std::optional<std::string> chip;
    std::vector<std::string> check;
    bool sets = false;
};

std::string passes(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "pass" : "passes");
}

std::string metrics_count(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "metric" : "metrics");
}

std::vector<std::string> missing(const std::vector<ChosenMetric>& metrics) {
    std::vector<std::string> names;
    for (const ChosenMetric& metric : metrics)
        if (!metric.available()) names.push_back(metric.requested);
    return names;
}

std::string form_on(const ChosenMetric& metric, const std::string& chip) {
    if (!metric.available())
        return fmt::format("{}  (not available on {})", metric.requested, chip);
    if (metric.name == metric.requested) return metric.name;
    return fmt::format("{}  ({} on {})", metric.requested, metric.name, chip);
}

// Chips that lack the same metrics share a paragraph.
void list_chips() {
    const auto chips = counters::supported_chips();
    std::vector<TableColumn> columns{{"chip", Align::left, 8}};
    for (const MetricSet& set : counters::metric_sets())
        columns.push_back({std::string(set.name), Align::right, 9, 0});
    columns.push_back({"metrics", Align::right, 9, 0});
    columns.push_back({"of the sets not available", Align::left});
    TextTable table(std::move(columns));
    std::vector<std::pair<std::string, std::vector<std::string>>> lacks;
    for (const std::string& chip : chips) {
        const ChipMetrics metrics(chip);
        std::vector<std::string> row{chip};
        for (const MetricSet& set : counters::metric_sets()) {
            const MetricPlan plan(metrics,
                                  counters::chip_names(counters::resolve(set.name, metrics)));
            row.push_back(std::to_string(plan.passes()));
        }
        const auto lacking = missing(counters::resolve("all", metrics));
        row.push_back(std::to_string(metrics.base_names().size()));
        row.push_back(lacking.empty() ? "-" : std::to_string(lacking.size()));
        table.add(std::move(row));
        for (const std::string& name : lacking) {
            auto entry =
                std::ranges::find(lacks, name, [](const auto& pair) { return pair.first; });
            if (entry == lacks.end()) entry = lacks.insert(lacks.end(), {name, {}});
            entry->second.push_back(chip);
        }
    }
    fmt::print("Passes that each metric set takes, per chip:\n\n{}\nNot available:\n",
               table.plain());
    for (const auto& [name, where] : lacks)
        fmt::print("  {}\n      on {}\n", name, fmt::join(where, ", "));
    fmt::print(
        "\n`camber counters --sets` lists the metrics of each set, `--chip GH100` all metrics of "
        "a chip.\n");
}

void list_sets(const std::string& chip) {
    const ChipMetrics metrics(chip);
    for (const MetricSet& set : counters::metric_sets()) {
        const auto chosen = counters::resolve(set.name, metrics);
        const MetricPlan plan(metrics, counters::chip_names(chosen));
        fmt::print("{}: {} ({} on {})\n", set.name, set.summary, passes(plan.passes()), chip);
        // The last set is the union of the others.
        if (&set == &counters::metric_sets().back()) break;
        for (const ChosenMetric& metric : chosen) fmt::print("    {}\n", form_on(metric, chip));
    }
}

void list_metrics(const std::string& chip) {
    const ChipMetrics metrics(chip);
    // Metrics of one kind have the same suffixes, so they share a line.
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> kinds;
    for (const std::string& base : metrics.base_names()) {
        const auto suffixes = metrics.suffixes(base);
        auto kind = std::ranges::find(kinds, suffixes, [](const auto& pair) { return pair.first; });
        if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {suffixes, {}});
        kind->second.push_back(base);
    }
    fmt::print("{} has {}. Append one of the listed suffixes to a name.\n", chip,
               metrics_count(metrics.base_names().size()));
    for (const auto& [suffixes, names] : kinds)
        fmt::print("\n{} with {}:\n    {}\n", metrics_count(names.size()),
                   fmt::join(suffixes, ", "), fmt::join(names, "\n    "));
}

void check_names(const std::string& chip, const std::vector<std::string>& names) {
    const ChipMetrics metrics(chip);
    const auto chosen = counters::resolve(fmt::format("{}", fmt::join(names, ",")), metrics);
    const MetricPlan plan(metrics, counters::chip_names(chosen));
    const auto lacking = missing(chosen);
    for (const ChosenMetric& metric : chosen) fmt::print("{}\n", form_on(metric, chip));
    fmt::print("{}: {} in {}", chip, metrics_count(plan.metrics().size()), passes(plan.passes()));
    if (!lacking.empty()) fmt::print(", {} not available", lacking.size());
    fmt::print("\n");
}

void run_counters(const CountersOptions& options) {
    const std::string chip = options.chip.value_or(default_chip);
    if (options.sets) {
        list_sets(chip);
    } else if (!options.check.empty()) {
        check_names(chip, options.check);
    } else if (options.chip) {
        list_metrics(chip);
    } else {
        list_chips();
    }
}

}  // namespace

void add_counters_command(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "counters",
        "List the hardware counters of each chip and the passes they take; needs no GPU");
    auto options = std::make_shared<CountersOptions>();
    command->add_option(
        "--chip", options->chip,
        "Chip by its CUPTI name; without other options, lists all its metrics (default for "
        "the other options: GH100)");
    auto* check = command->add_option(
        "--check", options->check,
        "Check whether sets or metrics are available, and how many passes they take");
    command->add_flag("--sets", options->sets, "List the metrics of each set")->excludes(check);
    command->footer(
        "Examples:\n"
        "  camber counters                                passes and missing metrics of every "
        "chip\n"
        "  camber counters --sets                         the metrics of each set\n"
        "  camber counters --chip AD102 | grep dram       the metrics of a chip\n"
        "  camber counters --check memory                 a set on GH100\n"
        "  camber counters --chip GB202 --check memory,smsp__inst_executed.sum");
    command->callback([&chosen, options] {
        chosen = [options] {
            run_counters(*options);
            return 0;
        };
    });
}

}  // namespace camber
