// Programs of the CUDA Toolkit, run for what they print.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// A program on PATH, or one of the CUDA Toolkit, which may also lie in the bin folder of
// $CUDA_HOME, $CUDA_PATH or /usr/local/cuda.
std::optional<std::filesystem::path> find_program(const std::string& name);
std::optional<std::filesystem::path> find_cuda_program(const std::string& name);
inline std::optional<std::filesystem::path> find_cuobjdump() {
    return find_cuda_program("cuobjdump");
}

// What the program writes to its standard output, its standard error being thrown away; nullopt
// where it cannot be started, fails, or has not ended by itself after `limit`, when it is killed.
// The arguments reach it as they are: no shell reads them. `folder`: where it runs; "" for here.
std::optional<std::string> output_of(const std::filesystem::path& program,
                                     const std::vector<std::string>& arguments,
                                     std::chrono::milliseconds limit,
                                     const std::filesystem::path& folder = {});

struct ToolRun {
    bool started = false;
    bool in_time = false;
    int exit_code = -1;  // -1: ended by a signal
    std::string output;  // standard output and standard error, as they came; the first 4 MiB

    bool succeeded() const { return started && in_time && exit_code == 0; }
};

// A tool that writes files, such as a compiler.
struct ToolPlaces {
    std::filesystem::path temporary;    // where it has its own files
    std::filesystem::path folder = {};  // where it runs; "" for here
};

// The same for what it says as well. It and what it has started are killed, too, where work is to
// stop (harness/base/process.hpp).
ToolRun run_tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds limit, const ToolPlaces& places);

}  // namespace camber
