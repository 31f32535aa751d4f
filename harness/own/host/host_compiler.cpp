#include "harness/own/host/host_compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/source/unit.hpp"

namespace camber {

namespace {

bool has(const std::string& output, std::string_view words) {
    return output.find(words) != output.npos;
}

// Throws if the messages indicate a problem of the machine rather than of the file.
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
        // Errors and the lines after them, including undefined references of the linker.
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

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_compilation{120};

// Name of the header that the compiler did not find; "" if the messages report other errors.
std::string missing_header(const std::string& messages) {
    static const std::regex pattern("fatal error: ([^:\n]+): No such file or directory");
    std::smatch match;
    return std::regex_search(messages, match, pattern) ? match[1].str() : "";
}

// GCC is required: its unoptimized code contains every access of the source with its line number.
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

// CUDA headers whose declarations are part of every unit; replaced by empty files.
constexpr const char* cuda_headers[] = {"cuda.h",
                                        "cuda_runtime.h",
                                        "cuda_runtime_api.h",
                                        "device_launch_parameters.h",
                                        "vector_types.h",
                                        "vector_functions.h",
                                        "math_constants.h",
                                        "cooperative_groups.h",
                                        "cooperative_groups/reduce.h",
                                        "cooperative_groups/scan.h",
                                        "cooperative_groups/memcpy_async.h",
                                        "device_functions.h",
                                        "cuda_profiler_api.h",
                                        "driver_types.h",
                                        "curand.h",
                                        "curand_kernel.h",
                                        "cublas_v2.h",
                                        "cufft.h"};

// CUDA headers with a text of camber's own.
struct OwnHeader {
    const char* name;
    std::string_view text;
};
std::vector<OwnHeader> own_headers() {
    return {{"cuda_fp16.h", unit_parts::half()},
            {"cuda_bf16.h", unit_parts::half()},
            {"cuda_pipeline.h", unit_parts::async()},
            {"cuda_pipeline_primitives.h", unit_parts::async()},
            {"cuda/pipeline", unit_parts::async()},
            {"cuda/barrier", unit_parts::async()},
            {"mma.h", unit_parts::fragments()}};
}

// Writes the headers into `folder` and returns the flags that add it to the search path.
std::vector<std::string> write_headers(const TemporaryFolder& folder) {
    const fs::path cuda = folder.path() / "cuda";
    fs::create_directories(cuda / "cooperative_groups");
    fs::create_directories(cuda / "cuda");
    for (const char* const header : cuda_headers) folder.write(fmt::format("cuda/{}", header), "");
    for (const OwnHeader& header : own_headers())
        folder.write(fmt::format("cuda/{}", header.name), header.text);
    return {"-I", cuda.string(), "-idirafter", write_sample_headers(folder).string(), "-idirafter",
            empty_headers(folder).string()};
}

// Identifies the texts of the headers.
std::uint64_t headers_checksum() {
    std::uint64_t sum = 0;
    for (const OwnHeader& header : own_headers())
        sum = 31 * sum + std::hash<std::string_view>{}(header.text);
    return sum;
}

// Include paths of the file.
std::vector<std::string> include_flags(const CandidateSource& source) {
    std::vector<std::string> words;
    for (const fs::path& folder : source.include_folders) {
        words.emplace_back(folder == source.include_folders.front() ? "-iquote" : "-I");
        words.push_back(fs::absolute(folder).string());
    }
    return words;
}

// Tells once per file which headers were left out.
void report_absent(const fs::path& file, const std::string& names) {
    static std::set<std::string> reported;
    if (names.empty() || !reported.insert(file.string() + names).second) return;
    const bool several = names.find(',') != names.npos;
    fmt::print(stderr, "camber: {}: compiled without {}, which {} not found: -I FOLDER adds {}\n",
               file.string(), names, several ? "were" : "was", several ? "them" : "it");
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
            "-fstack-clash-protection",  // an overflow meets the guard page (candidate_guard.cpp)
            few_errors,
            "-Wno-unknown-pragmas"};
}

}  // namespace

std::filesystem::path empty_headers(const TemporaryFolder& folder) {
    const fs::path path = folder.path() / "absent";
    fs::create_directories(path);
    return path;
}

CompilerRun run_with_empty_headers(const Compilation& compilation,
                                   const std::vector<std::string>& arguments,
                                   const TemporaryFolder& folder, bool inside_folder) {
    constexpr std::size_t most = 32;
    CompilerRun run;
    std::optional<ErrorWithLines> first;
    while (true) {
        try {
            run.messages = run_compiler(compilation, arguments, folder, inside_folder);
            return run;
        } catch (const ErrorWithLines& error) {
            const std::string name = missing_header(error.lines());
            if (!first) first = error;
            const bool again = std::ranges::find(run.absent, name) != run.absent.end();
            if (name.empty() || name.find("..") != name.npos || fs::path(name).is_absolute() ||
                again || run.absent.size() == most)
                throw *first;
            fs::create_directories((empty_headers(folder) / name).parent_path());
            folder.write(fmt::format("absent/{}", name), "");
            run.absent.push_back(name);
        }
    }
}

std::string compile_for_host(const CandidateSource& source, const BuildCache& cache) {
    const fs::path compiler = find_gcc();
    const std::string unit = host_unit(source);
    const std::vector<std::string> includes = include_flags(source);
    const std::string recipe =
        fmt::format("{}\n{}\n{}\n{}\n{}\n", identity_of(compiler), fmt::join(flags(), " "),
                    fmt::join(includes, " "), headers_checksum(), unit);
    const std::string recipe_of_headers = recipe + "missing headers\n";
    if (auto kept = cache.find(recipe)) {
        report_absent(source.path, cache.find(recipe_of_headers).value_or(""));
        return std::move(*kept);
    }

    const TemporaryFolder folder("compile a kernel");
    const fs::path object = folder.path() / "unit.o";
    const fs::path dependencies = folder.path() / "unit.d";
    const fs::path library = folder.path() / "unit.so";
    const fs::path file = folder.write("unit.cpp", unit);

    std::vector<std::string> arguments = flags();
    for (std::string& word : write_headers(folder)) arguments.push_back(std::move(word));
    arguments.insert(arguments.end(), includes.begin(), includes.end());
    for (const std::string& word :
         {std::string("-MMD"), std::string("-MF"), dependencies.string(), std::string("-c"),
          file.string(), std::string("-o"), object.string()})
        arguments.push_back(word);
    const Compilation compilation{compiler, source.path, false, longest_compilation};
    const std::vector<std::string> absent =
        run_with_empty_headers(compilation, arguments, folder).absent;
    run_compiler(compilation,
                 {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", object.string(), "-lm", "-o",
                  library.string()},
                 folder);
    const std::string built = read_file(library, "compiled kernel", "a library");
    std::vector<fs::path> included;
    for (fs::path& path :
         included_files(read_file(dependencies, "list of files", "one of a compiler"), file))
        if (path != object && !path.string().starts_with(folder.path().string()))
            included.push_back(std::move(path));
    cache.keep(recipe, included, built);
    if (!absent.empty()) {
        const std::string names = fmt::format("{}", fmt::join(absent, ", "));
        cache.keep(recipe_of_headers, {}, names);
        report_absent(source.path, names);
    }
    return built;
}

}  // namespace camber
