// Runs commands that name kernels from a user's own files in a guarded process.
#pragma once

#include <optional>

namespace CLI {
class App;
}

namespace camber {

// Forks if the parsed command line names such a kernel. Returns the exit code if the child has done
// the work; nullopt if this process has to do it. Throws as run_guarded().
std::optional<int> guard_candidates(const CLI::App& app);

}  // namespace camber
