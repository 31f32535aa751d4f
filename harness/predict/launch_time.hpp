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
#include "harness/record/code_inspection.hpp"
#include "harness/record/model_record.hpp"

namespace camber {

// Typical code, used if machine code is unavailable: each memory access implies the average number
// of instructions of each other class.

// Instructions of each class (results::Kernel) per instruction that accesses memory.
std::map<std::string, double> instructions_per_access(
    const std::vector<results::CodeTable>& tables);

// Typical kernels of a launch. Every access that a warp makes counts as one instruction of the
// machine code, with `per_access` instructions around it, and a thread uses 32 registers.
std::vector<results::Kernel> typical_code(const Prediction& prediction,
                                          const std::map<std::string, double>& per_access);

// Predicted time of a variant's launch: the sum over its kernels on a given machine.

// Kernels of one launch with their machine code, in launch order, or a sentence that says why the
// code is unavailable. `code`: see time_of().
std::variant<std::vector<KernelWork>, std::string> works_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code);

// Time of one launch, or a sentence that says why it is not predicted. `code`: kernels in launch
// order; nullptr if unavailable. `share`: fraction of launches that run a kernel and the library
// calls after it, by kernel name; kernels that are absent run in every launch.
std::variant<PredictedTime, std::string> time_of(
    const Prediction& prediction, const std::vector<results::Kernel>* code, const Machine& machine,
    const std::function<double(const std::string&)>& share = {});

results::TimeRecord time_record(const PredictedTime& time);

}  // namespace camber
