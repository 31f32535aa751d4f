// Parts of a launch's time, computed from counts, machine code and device ceilings.
#pragma once

#include <initializer_list>
#include <vector>

#include "analysis/time/executed.hpp"
#include "analysis/time/kernel_time.hpp"

namespace camber {

// Overlap exponent: parts combine as (sum of part^n)^(1/n).
inline constexpr double usual_overlap = 3;
inline constexpr double early_overlap = 2.5;  // in the first waves
inline constexpr double early_fillings = 2;
// (sum of time^exponent)^(1/exponent). 1 adds the times; larger exponents overlap them.
double norm(std::initializer_list<double> times, double exponent);

struct LaunchParts {
    std::vector<TimePart> parts;  // in the order of TimeResource, without parts of zero time
    double fillings = 0;          // number of waves of blocks
    // Stalls for memory beyond L2.
    struct MemoryWaits {
        double number = 0;  // consecutive stalls in one block slot
        double delay = 0;   // of each in seconds, see LoadedMemory
        double missed = 0;  // share of the reads that miss L2
    } waits;
};

LaunchParts launch_parts(const KernelWork& work, const Machine& machine,
                         const Executions& executed);

}  // namespace camber
