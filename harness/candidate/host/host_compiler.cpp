#include "harness/candidate/host/host_compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "harness/base/error_lines.hpp"
#include "harness/base/read_file.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/base/temporary_folder.hpp"
#include "harness/candidate/source/unit.hpp"
#include "harness/static/tool.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_compilation{120};

// GCC, whose code without optimisation has every access of the source, and its line at each.
bool is_gcc(const fs::path& compiler) {
    const auto version = output_of(compiler, {"--version"}, std::chrono::seconds(10));
    return version && version->find("Free Software Foundation") != version->npos;
}

}  // namespace

fs::path find_gcc() {
    std::vector<std::string> names{"g++", "c++", "g++-15", "g++-14", "g++-13", "g++-12", "g++-11"};
    if (const char* const chosen = std::getenv("CXX"); chosen && *chosen)
        names.insert(names.begin(), chosen);
    for (const std::string& name : names) {
        const bool is_path = name.find('/') != name.npos;
        const auto found = is_path ? std::optional<fs::path>(name) : find_program(name);
        if (found && is_gcc(*found)) return *found;
    }
    throw Error(ExitCode::unavailable,
                "there is no GCC to compile the kernel for the host: install g++, or set CXX to "
                "the path of one");
}

namespace {

// What CUDA's own headers declare, every unit has already.
constexpr const char* cuda_headers[] = {
    "cuda.h",         "cuda_runtime.h",     "cuda_runtime_api.h", "device_launch_parameters.h",
    "vector_types.h", "vector_functions.h", "math_constants.h",   "cooperative_groups.h"};

void write(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> flags() {
    return {"-std=c++17",
            "-O0",
            "-g1",
            "-gdwarf-4",
            "-gz=none",
            "-fPIC",
            "-fvisibility=hidden",
            "-fno-exceptions",
            "-fasynchronous-unwind-tables",
            "-ffp-contract=off",
            "-fsanitize=thread",
            "-fsanitize-coverage=trace-pc",
            "-Wno-unknown-pragmas"};
}

}  // namespace

std::string first_messages(const std::string& output) {
    constexpr int most = 12;
    std::string chosen;
    int taken = 0;
    bool error = false;
    for (std::size_t at = 0; at < output.size() && taken < most;) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string line = output.substr(at, end - at);
        at = end + 1;
        // An error, and what follows it; of the linker, what it misses.
        error = error || line.find("error") != line.npos ||
                line.find("undefined reference") != line.npos;
        if (!error) continue;
        chosen += "\n" + line;
        ++taken;
    }
    return chosen.empty() ? "\n" + output.substr(0, 2000) : chosen;
}

std::string compile_for_host(const CandidateSource& source, const BuildCache& cache) {
    const fs::path compiler = find_gcc();
    const std::string unit = host_unit(source);
    const std::string folder_of_file = fs::absolute(source.path).parent_path().string();
    const std::string recipe = fmt::format("{}\n{}\n{}\n{}\n", identity_of(compiler),
                                           fmt::join(flags(), " "), folder_of_file, unit);
    if (auto kept = cache.find(recipe)) return std::move(*kept);

    const TemporaryFolder folder("compile a kernel");
    const fs::path file = folder.path() / "unit.cpp";
    const fs::path object = folder.path() / "unit.o";
    const fs::path dependencies = folder.path() / "unit.d";
    const fs::path library = folder.path() / "unit.so";
    const fs::path headers = folder.path() / "cuda";
    write(file, unit);
    fs::create_directory(headers);
    for (const char* const header : cuda_headers) write(headers / header, "");

    std::vector<std::string> arguments = flags();
    for (const std::string& word :
         {std::string("-I"), headers.string(), std::string("-iquote"), folder_of_file,
          std::string("-MMD"), std::string("-MF"), dependencies.string(), std::string("-c"),
          file.string(), std::string("-o"), object.string()})
        arguments.push_back(word);
    const ToolPlaces places{folder.path()};
    ToolRun run = run_tool(compiler, arguments, longest_compilation, places);
    if (run.started && run.in_time && run.exit_code == 0)
        run = run_tool(compiler,
                       {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", object.string(), "-lm", "-o",
                        library.string()},
                       longest_compilation, places);
    check_stop();
    if (!run.started)
        throw Error(ExitCode::unavailable,
                    fmt::format("the C++ compiler {} cannot be started: set CXX to the path of "
                                "another one",
                                compiler.string()));
    if (!run.in_time)
        throw Error(ExitCode::unavailable,
                    fmt::format("the C++ compiler has not compiled {} in {} s",
                                source.path.string(), longest_compilation.count()));
    if (run.exit_code != 0)
        throw ErrorWithLines(ExitCode::usage,
                             fmt::format("{} does not compile for the host; {} says:",
                                         source.path.string(), compiler.filename().string()),
                             first_messages(run.output));
    const std::string built = read_file(library, "compiled kernel", "a library");
    std::vector<fs::path> included;
    for (fs::path& path :
         included_files(read_file(dependencies, "list of files", "one of a compiler"), file))
        if (path != object && path.parent_path() != headers) included.push_back(std::move(path));
    cache.keep(recipe, included, built);
    return built;
}

}  // namespace camber
