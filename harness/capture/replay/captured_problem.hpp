// A captured launch as a problem of named arrays: its buffers are the arrays, the recorded memory
// after the launch is the correct result. So candidates with source are verified, checked for races
// and predicted on the executor like kernels of any other problem.
#pragma once

#include <memory>
#include <string>

#include "harness/own/problem/array_workload.hpp"

namespace camber {

// Problem of the launch that capture::captured_reference() names, by default of the folder's first. Candidates for it are for the executor;
// candidate_variant() throws Error(usage) for parameters that differ from the captured kernel's.
// Throws the errors of read_capture(), and
// Error(usage) if the launch changed no memory or the folder has no launch of that number.
std::unique_ptr<ArrayWorkload> captured_workload(const std::string& reference);

}  // namespace camber
