// Predicted time of a variant's launch, from the machine code of its kernels or from typical code
// if the machine code is unavailable.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "analysis/time/kernel_time.hpp"
#include "analysis/time/machine.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/code_table.hpp"
#include "harness/record/model_record.hpp"

namespace camber {

// What stands in for machine code that is not known: as many instructions for each access as
// kernels have on average.

// Instructions of each class of the machine code (results::Kernel), for one that accesses memory.
std::map<std::string, double> instructions_per_access(
    const std::vector<results::CodeTable>& tables);

// The kernels of a launch: every access that a warp makes is taken to stand in the text once, with
// `per_access` instructions around it, and a thread to take 32 registers.
std::vector<results::Kernel> typical_code(const Prediction& prediction,
                                          const std::map<std::string, double>& per_access);

// The predicted time of a variant's launch: all its kernels on a machine.

// The kernels of one launch with their code, in order of launch, or the sentence that says why it
// is not known. `code`: see time_of().
std::variant<std::vector<KernelWork>, std::string> works_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code);

// The time of one launch, or the sentence that says why it is not predicted. `code`: the kernels in
// order of launch; nullptr: not known. `share`: of all launches, those that have a kernel and what
// libraries do after it, by the kernel's name; absent: all.
std::variant<PredictedTime, std::string> time_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code, const Machine& machine,
    const std::function<double(const std::string&)>& share = {});

results::TimeRecord time_record(const PredictedTime& time);

}  // namespace camber
