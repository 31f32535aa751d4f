#include "harness/own/host/compiler_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/sass/tool.hpp"

namespace camber {

namespace {

bool has(const std::string& output, std::string_view words) {
    return output.find(words) != output.npos;
}

// Throws if the messages show that the machine is the cause, not the file.
void check_machine(const std::string& output, const std::string& compiler,
                   const TemporaryFolder& folder) {
    for (const char* const reason :
         {"No space left on device", "Disk quota exceeded", "Read-only file system"})
        if (has(output, reason)) folder.fail(fmt::format("{} says \"{}\"", compiler, reason));
    if (has(output, "Cannot create temporary file"))
        folder.fail(fmt::format("{} cannot create a temporary file", compiler));
    if (has(output, "virtual memory exhausted") || has(output, "out of memory allocating") ||
        has(output, "Killed signal terminated program"))
        throw Error(
            ExitCode::unavailable,
            fmt::format("{} has run out of memory: free some, or simplify the kernel", compiler));
}

}  // namespace

std::filesystem::path write_sample_headers(const TemporaryFolder& folder) {
    std::filesystem::create_directories(folder.path() / "samples");
    for (const char* const header : {"helper_cuda.h", "helper_functions.h", "helper_timer.h"})
        folder.write(fmt::format("samples/{}", header), "");
    return folder.path() / "samples";
}

std::string first_messages(const std::string& output) {
    constexpr int most = 12;
    constexpr std::size_t longest_line = 500;
    std::string chosen;
    int taken = 0;
    bool error = false;
    for (std::size_t at = 0; at < output.size() && taken < most;) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string line = output.substr(at, std::min(end - at, longest_line));
        at = end + 1;
        // An error, and what follows it; of the linker, what it misses.
        error = error || has(line, "error") || has(line, "undefined reference");
        if (!error) continue;
        chosen += "\n" + line;
        ++taken;
    }
    return chosen.empty() ? "\n" + output.substr(0, 2000) : chosen;
}

std::string run_compiler(const Compilation& compilation, const std::vector<std::string>& arguments,
                         const TemporaryFolder& folder, bool inside_folder) {
    const std::string name = compilation.compiler.filename().string();
    const std::string file = compilation.file.string();
    const auto limit = compilation_limit(compilation.usual_limit);
    ToolPlaces places{folder.path()};
    if (inside_folder) places.folder = folder.path();
    ToolRun run = run_tool(compilation.compiler, arguments, limit, places);
    check_stop();
    if (!run.started)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the compiler {} cannot be started: repair it, or set {} another one",
                        compilation.compiler.string(),
                        compilation.for_device ? "CUDA_HOME to" : "CXX to the path of"));
    if (!run.in_time)
        throw Error(ExitCode::wrong_result,
                    fmt::format("{} has not compiled {} in {:.3g} s: simplify the file, or give "
                                "more time with --timeout",
                                name, file, std::chrono::duration<double>(limit).count()));
    if (run.exit_code == 0) return std::move(run.output);
    check_machine(run.output, name, folder);
    throw ErrorWithLines(ExitCode::usage,
                         fmt::format("{} does not compile for {}; {} says:", file,
                                     compilation.for_device ? "the device" : "the host", name),
                         first_messages(run.output));
}

}  // namespace camber
