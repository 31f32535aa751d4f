// Runs programs of the CUDA Toolkit and returns their output.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// Path of a program on PATH, or of a CUDA Toolkit program, which may also be in the bin folder of
// $CUDA_HOME, $CUDA_PATH or /usr/local/cuda.
std::optional<std::filesystem::path> find_program(const std::string& name);
std::optional<std::filesystem::path> find_cuda_program(const std::string& name);
inline std::optional<std::filesystem::path> find_cuobjdump() {
    return find_cuda_program("cuobjdump");
}

// Returns the program's standard output and discards its standard error; nullopt if it cannot be
// started, fails, or is killed because it has not ended after `limit`. Arguments are passed
// unchanged, without a shell. `folder`: working directory; "" for the current one.
std::optional<std::string> output_of(const std::filesystem::path& program,
                                     const std::vector<std::string>& arguments,
                                     std::chrono::milliseconds limit,
                                     const std::filesystem::path& folder = {});

struct ToolRun {
    bool started = false;
    bool in_time = false;
    int exit_code = -1;  // -1: killed by a signal
    std::string output;  // standard output and standard error, interleaved; the first 4 MiB

    bool succeeded() const { return started && in_time && exit_code == 0; }
};

// Folders of a tool that writes files, such as a compiler.
struct ToolPlaces {
    std::filesystem::path temporary;    // folder for its temporary files
    std::filesystem::path folder = {};  // working directory; "" for the current one
};

// Runs a tool and returns its output and errors. The tool and its child processes are also killed
// if a stop is requested (harness/base/process.hpp).
ToolRun run_tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds limit, const ToolPlaces& places);

}  // namespace camber
