// Published entries beside the CPU: how often faster than one core, by the time of kernels and by
// that of a whole program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "analysis/published/table.hpp"

namespace camber::published {

struct MachineEntry {
    std::string name;     // row and column
    std::string variant;  // "" where nothing here stands for it
    Entry printed;
    std::optional<double> published;  // how often faster than the CPU
    std::optional<double> generations_per_second;
    Judged over_core;   // by the time of generations alone
    Judged over_cores;  // all that the host has
    // Of a run from the start: loading, transfers and saving, as far as they were measured.
    std::optional<double> program_seconds;
    std::optional<double> program_over_core;
};

// Seconds of a whole program; absent where they were not measured.
using MeasuredProgram = std::function<std::optional<double>(const Asked& asked)>;

// For tables that name a variant on the CPU; empty for others. Entries without a number are left
// out, and so are columns of counts, figures and single kernels.
std::vector<MachineEntry> machine_entries(const Table& table, const Measured& measured,
                                          const MeasuredProgram& program);

// The variant that uses all cores of the CPU.
std::string all_cores(const Table& table);

}  // namespace camber::published
