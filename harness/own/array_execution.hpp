// Execution of kernels on named arrays, each of which has a shape of its own.
#pragma once

#include <memory>

#include "harness/own/program.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Runs the program's kernels in order on its arrays. An array that one kernel reads as `in` and
// writes as `out` has two buffers.
std::unique_ptr<Execution> array_execution(Queue& queue, const Problem& problem,
                                           std::shared_ptr<CandidateProgram> program);

}  // namespace camber
