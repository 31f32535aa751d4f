// Replay process: does the work of one job.
#pragma once

#include <filesystem>

namespace camber::capture {

// Does the job in this file, and writes the result to the job's path. The result is also written
// before anything that can end the process. Returns the exit code of the process.
int run_worker(const std::filesystem::path& job);

}  // namespace camber::capture
