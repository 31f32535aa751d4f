// Programs of the CUDA Toolkit, run for what they print.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// cuobjdump: on PATH, or in the bin folder of $CUDA_HOME, $CUDA_PATH or /usr/local/cuda.
std::optional<std::filesystem::path> find_cuobjdump();

// What the program writes to its standard output, its standard error being thrown away; nullopt
// where it cannot be started, fails, or has not ended by itself after `limit`, when it is killed.
// The arguments reach it as they are: no shell reads them. `folder`: where it runs; "" for here.
std::optional<std::string> output_of(const std::filesystem::path& program,
                                     const std::vector<std::string>& arguments,
                                     std::chrono::milliseconds limit,
                                     const std::filesystem::path& folder = {});

}  // namespace camber
