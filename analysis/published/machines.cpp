#include "analysis/published/machines.hpp"

#include "analysis/published/order.hpp"

namespace camber::published {

namespace {

using Position = std::pair<std::size_t, std::size_t>;  // row and column

// The CPU's entry in the same row, or else in the same column.
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
                                          const MeasuredProgram& program) {
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
                entry.over_core = judge(own, measured(on(table.here.cpu)));
                entry.over_cores = judge(own, measured(on(all_cores(table))));
                entry.program_seconds = program(asked);
                if (const auto cpu = program(on(table.here.cpu)); cpu && entry.program_seconds)
                    entry.program_over_core = *cpu / *entry.program_seconds;
            }
            all.push_back(std::move(entry));
        }
    return all;
}

}  // namespace camber::published
