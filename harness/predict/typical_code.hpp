// What stands in for machine code that is not known: as many instructions for each access as
// kernels have on average.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/predict/prediction.hpp"
#include "harness/record/code_table.hpp"

namespace camber {

// Instructions of each class of the machine code (results::Kernel), for one that accesses memory.
std::map<std::string, double> instructions_per_access(
    const std::vector<results::CodeTable>& tables);

// The kernels of a launch: every access that a warp makes is taken to stand in the text once, with
// `per_access` instructions around it, and a thread to take 32 registers.
std::vector<results::Kernel> typical_code(const Prediction& prediction,
                                          const std::map<std::string, double>& per_access);

}  // namespace camber
