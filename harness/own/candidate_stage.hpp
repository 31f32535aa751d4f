// Stage that launches one kernel of a user's file on a GPU or on the executor.
#pragma once

#include <cstddef>
#include <memory>

#include "harness/own/program.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// `kernel`: index among the program's kernels.
std::unique_ptr<Stage> make_candidate_stage(const StageContext& context,
                                            std::shared_ptr<CandidateProgram> program,
                                            std::size_t kernel);

// Execution of the program's kernels in order on its named arrays, each of which has a shape of its
// own. An array that one kernel reads as `in` and writes as `out` has two buffers.
std::unique_ptr<Execution> array_execution(Queue& queue, const Problem& problem,
                                           std::shared_ptr<CandidateProgram> program);

}  // namespace camber
