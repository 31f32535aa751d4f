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

}  // namespace camber
