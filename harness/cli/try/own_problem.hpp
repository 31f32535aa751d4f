// `camber try --reference`: a problem that kernels and arrays of the user's own define.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/run/study.hpp"

namespace CLI {
class App;
}

namespace camber {

struct OwnProblemOptions {
    std::string reference;            // a kernel's file
    std::vector<std::string> inputs;  // .npy files, each as FILE or NAME=FILE, with commas between
    std::string fill = "random";
    double tolerance = -1;  // below 0: by the type of the cells
    std::string output;     // .npy file of the candidate's result

    void add_to(CLI::App& command);
};

// Makes the workload that the options define, and lets `run` be of it: on its arrays' size, where
// there are some, and of one generation, where no other number is given. Nothing without a
// reference. Throws Error(usage) for what is wrong with the files, and for options that mean
// nothing without a reference.
void take_own_problem(const OwnProblemOptions& options, RunOptions& run);

// Runs the variant once, on the study's backend, and writes what it makes of the initial state.
void write_result(const Study& study, const Variant& variant, const std::string& path);

}  // namespace camber
