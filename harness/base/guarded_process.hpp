// Runs candidates in a child process, so that a candidate that calls exit(), crashes, or never ends
// does not decide how camber ends.
#pragma once

#include <optional>
#include <string>

#include "harness/base/candidate_guard.hpp"

namespace camber {

// Forks. Returns nullopt in the child, which continues with the work and ends with report_exit() or
// report_exit_by_signal(). In the parent, returns the exit code that the child reported, or ends
// this process by the signal that the child reported.
//
// If the child ends without a report, the parent throws Error(wrong_result) with a sentence that
// names the candidate and what happened to it; if no candidate has run yet, the parent ends as the
// child did. It removes the child's processes, temporary folders and lock files, and writes the
// results file that the child handed over (set_rescue()).
//
// Signals are forwarded. The child dies with the parent. To be called while the process has one
// thread and no device.
std::optional<int> run_guarded(const CandidateLimits& limits);

}  // namespace camber
