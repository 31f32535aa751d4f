// Decides whether a command runs candidates, and so belongs into a guarded process.
#pragma once

#include <optional>

#include "harness/base/candidate_guard.hpp"

namespace CLI {
class App;
}

namespace camber {

// The time limits of the parsed command line if it names a kernel from a user's own file; nullopt:
// the command runs camber's code alone.
std::optional<CandidateLimits> limits_of_candidates(const CLI::App& app);

}  // namespace camber
