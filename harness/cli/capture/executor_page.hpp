// Verification of candidates for a captured launch on the executor, without a GPU.
#pragma once

#include <vector>

#include "harness/capture/replay/candidate_build.hpp"

namespace camber {

// Runs the candidates with source over the captured inputs, and prints their results. `seconds`:
// time limit of a block. Returns the exit code. Throws Error(unavailable) if no candidate has
// source, or if the launch changed nothing.
int verify_on_executor(const capture::Capture& capture,
                       std::vector<capture::CandidateOrder> candidates, double seconds);

}  // namespace camber
