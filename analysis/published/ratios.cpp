#include "analysis/published/ratios.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/published/entries.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

std::size_t compared_column(const Table& table) {
    return table.here.column.empty() ? 0 : table.column(table.here.column);
}

// The compared column first, then those of single kernels.
std::vector<std::size_t> columns_of_ratios(const Table& table) {
    std::vector<std::size_t> columns{compared_column(table)};
    if (table.kind == Kind::times)
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (!table.columns[i].here.kernels.empty()) columns.push_back(i);
    return columns;
}

// Printed value of a row, converted to a speedup.
std::optional<double> published_ratio(const Table& table, const Row& row, std::size_t column) {
    const auto& entry = row.values[column];
    if (!entry || !entry->reading) return std::nullopt;
    if (table.kind == Kind::speedups) return entry->reading;
    if (table.kind == Kind::saved) return 1 / (1 - *entry->reading / 100);
    const Row* baseline = table.row(table.here.baseline);
    if (baseline == nullptr || !baseline->values[column] || !baseline->values[column]->reading)
        return std::nullopt;
    const double base = *baseline->values[column]->reading;
    return table.here.lower_is_better ? base / *entry->reading : *entry->reading / base;
}

// Converts the outcome of "faster" to that of the printed statement with the ratio `published`.
Judged judged_as(double published, Judged measured) {
    if (!measured.ratio) return measured;
    const Outcome printed = outcome_of(published, std::nullopt);
    if (printed == Outcome::no_difference)
        measured.outcome = measured.outcome == printed ? Outcome::holds : Outcome::reversed;
    else if (printed == Outcome::reversed && measured.outcome != Outcome::no_difference)
        measured.outcome = measured.outcome == printed ? Outcome::holds : Outcome::reversed;
    return measured;
}

Ratio ratio_of(const Table& table, const Row& row, std::size_t column, const Measured& measured,
               const BasisOfTimes& basis) {
    const RowHere here = row.here.value_or(RowHere());
    const Row* baseline = table.row(table.here.baseline);
    Ratio ratio;
    ratio.row =
        column == compared_column(table) ? row.name : row.name + ", " + table.columns[column].name;
    ratio.variant = here.variant;
    if (table.kind != Kind::times)
        ratio.baseline = here.baseline;
    else if (baseline && baseline->here)
        ratio.baseline = baseline->here->variant;
    ratio.published = published_ratio(table, row, column);
    if (const auto& entry = row.values[column]) ratio.bound = entry->bound;
    const auto asked = [&](const std::string& variant) {
        return Asked{variant, table.here.cell, here.size, table.columns[column].here.kernels};
    };
    const auto samples = [&](const std::string& variant) {
        return variant.empty() ? nullptr : measured(asked(variant));
    };
    ratio.measured = judged_as(ratio.published.value_or(2),
                               judge(samples(ratio.variant), samples(ratio.baseline)));
    if (basis && ratio.measured.ratio)
        ratio.measured.outcome = outcome_on(basis(asked(ratio.variant)), ratio.measured.outcome);
    return ratio;
}

}  // namespace

std::vector<Ratio> ratios(const Table& table, const Measured& measured,
                          const BasisOfTimes& basis) {
    std::vector<Ratio> all;
    if (table.kind != Kind::times && table.kind != Kind::saved && table.kind != Kind::speedups)
        return all;
    for (const std::size_t column : columns_of_ratios(table))
        for (const Row& row : table.rows) all.push_back(ratio_of(table, row, column, measured, basis));
    return all;
}

std::vector<Conclusion> conclusions(const Table& table, const MeasuredBoth& measured,
                                    const BasisOfStatement& basis) {
    const auto rows = ratios(table, [](const Asked&) { return nullptr; });
    std::vector<Conclusion> all;
    for (const Statement& stated : table.conclusions) {
        Conclusion conclusion{stated, stated.printed, {}};
        const auto row = std::ranges::find_if(rows, [&](const Ratio& of) {
            return of.variant == stated.faster && of.baseline == stated.than && of.published;
        });
        if (!conclusion.printed && row != rows.end())
            conclusion.printed =
                Entry{fmt::format("{:.2f}", *row->published), row->published, row->bound, ""};
        const auto [faster, than] = measured(stated);
        conclusion.measured = judge(faster, than);
        if (basis && conclusion.measured.ratio)
            conclusion.measured.outcome = outcome_on(basis(stated), conclusion.measured.outcome);
        all.push_back(std::move(conclusion));
    }
    return all;
}

Asked asked_of(const Table& table, std::size_t row, std::size_t column) {
    const ColumnHere& of_column = table.columns[column].here;
    Asked asked{variant_of_entry(table, row, column), of_column.cell, of_column.size,
                of_column.kernels};
    if (asked.cell.empty()) asked.cell = table.here.cell;
    if (const auto& of_row = table.rows[row].here; of_row && !of_row->size.empty())
        asked.size = of_row->size;
    return asked;
}

std::vector<std::string> variants_of(const Table& table, const std::string& cell) {
    std::vector<std::string> variants;
    const auto add = [&](const std::string& variant) {
        if (!variant.empty() && std::ranges::find(variants, variant) == variants.end())
            variants.push_back(variant);
    };
    const auto concerns = [&](const std::string& named) {
        return cell.empty() || named.empty() || named == cell;
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (const auto& here = table.rows[i].here) {
            add(here->variant);
            add(here->baseline);
        }
        for (std::size_t j = 0; j < table.columns.size(); ++j)
            if (concerns(table.columns[j].here.cell)) add(variant_of_entry(table, i, j));
    }
    for (const Statement& stated : table.conclusions) {
        if (concerns(stated.cell)) add(stated.faster);
        if (concerns(stated.than_cell.empty() ? stated.cell : stated.than_cell)) add(stated.than);
    }
    if (!table.here.cpu.empty()) {
        add(table.here.cpu);
        add(all_cores(table));
        if (!table.here.cpu_program.empty()) {
            add(table.here.cpu_program);
            add(table.here.cpu_program + "_threads");
        }
    }
    return variants;
}

std::int64_t count_named(const AccessCounts& counts, std::string_view name) {
    if (name == "loads_32") return counts.global_load.transactions_32;
    if (name == "loads_64") return counts.global_load.transactions_64;
    if (name == "loads_128") return counts.global_load.transactions_128;
    if (name == "stores_64") return counts.global_store.transactions_64;
    if (name == "coalesced_loads") return counts.published.coalesced;
    if (name == "uncoalesced_loads") return counts.published.uncoalesced;
    throw Error(ExitCode::usage, fmt::format("count '{}' of a published table is unknown", name));
}

namespace {

using Position = std::pair<std::size_t, std::size_t>;  // row and column

// CPU entry in the same row, else in the same column.
std::optional<double> cpu_reading(const Table& table, Position of) {
    if (table.here.cpu_reading) return table.here.cpu_reading;
    const auto at = [&](std::size_t row, std::size_t column) -> std::optional<double> {
        const auto& entry = table.rows[row].values[column];
        if (!entry || variant_of_entry(table, row, column) != table.here.cpu) return std::nullopt;
        return entry->reading;
    };
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        if (const auto found = at(of.first, j)) return found;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (const auto found = at(i, of.second)) return found;
    return std::nullopt;
}

std::optional<double> over_cpu(const Table& table, Position of, double reading) {
    const std::string& unit = table.rows[of.first].unit.empty() ? table.columns[of.second].unit
                                                                : table.rows[of.first].unit;
    if (unit == "1") return reading;
    const auto cpu = cpu_reading(table, of);
    if (!cpu) return std::nullopt;
    return table.here.lower_is_better ? *cpu / reading : reading / *cpu;
}

std::string name_at(const Table& table, Position of) {
    const std::string& row = table.rows[of.first].name;
    return table.columns.size() == 1 ? row : row + ", " + table.columns[of.second].name;
}

}  // namespace

std::string all_cores(const Table& table) {
    return table.here.workload + "/reference/threads";
}

std::vector<MachineEntry> machine_entries(const Table& table, const Measured& measured,
                                          const MeasuredProgram& program,
                                          const BasisOfTimes& basis) {
    std::vector<MachineEntry> all;
    if (table.here.cpu.empty()) return all;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            const auto& value = table.rows[i].values[j];
            const Column& column = table.columns[j];
            if (!value || !value->reading || !column.here.kernels.empty() ||
                !column.figure.empty() || !column.count.empty())
                continue;
            const Asked asked = asked_of(table, i, j);
            MachineEntry entry;
            entry.name = name_at(table, {i, j});
            entry.variant = asked.variant;
            entry.printed = *value;
            entry.published = over_cpu(table, {i, j}, *value->reading);
            if (!asked.variant.empty()) {
                const auto on = [&](const std::string& variant) {
                    return Asked{variant, asked.cell, asked.size, {}};
                };
                const ProcessSamples* const own = measured(asked);
                if (own) entry.generations_per_second = 1e9 / typical_time(*own);
                const std::string& program_here = table.here.cpu_program;
                const bool has_program =
                    !program_here.empty() && measured(on(program_here)) != nullptr;
                entry.core = has_program ? program_here : table.here.cpu;
                const ProcessSamples* cores =
                    has_program ? measured(on(program_here + "_threads")) : nullptr;
                if (cores == nullptr) cores = measured(on(all_cores(table)));
                entry.over_core = judge(own, measured(on(entry.core)));
                entry.over_cores = judge(own, cores);
                if (basis && own)
                    for (Judged* judged : {&entry.over_core, &entry.over_cores})
                        judged->outcome = outcome_on(basis(asked), judged->outcome);
                entry.program_seconds = program(asked);
                if (const auto cpu = program(on(entry.core)); cpu && entry.program_seconds)
                    entry.program_over_core = *cpu / *entry.program_seconds;
            }
            all.push_back(std::move(entry));
        }
    return all;
}

}  // namespace camber::published
