// Figures that follow from measured ones: each formula once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber::results {

// What a case's rates are taken of.
struct Work {
    double cells = 0;                           // computed by one generation
    double application_bytes_per_cell = 0;      // that a generation must move
    std::optional<double> step_bytes_per_cell;  // that the variant's own steps must move
};

Derived derive(const Work& work, double seconds_per_generation,
               std::optional<double> copy_bytes_per_second);

// Fills the sums over kernels and the gap between two launches: what samples, of
// `ns_per_generation` by events, have beyond the kernels.
void sum_up(KernelTimes& times, double ns_per_generation);

// The kernel that most of a launch's time goes to, the first where no times are known; none where
// no kernel is.
const Kernel* leading_kernel(const CaseRecord& record);

// Speedups of all cases that were timed under the conditions of a case of the variant `baseline`.
void add_speedups(std::vector<CaseRecord>& cases, const std::string& baseline);

}  // namespace camber::results
