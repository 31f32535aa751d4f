#include "harness/own/library/launch_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/own/source/line_reader.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// As the lines stand in a kernel's file.
std::string as_comments(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        text += fmt::format("// camber: {}\n", lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

// What only a file has that camber compiles.
void reject_what_files_have(const Directives& directives, const std::string& file) {
    const auto reject = [&](int line, const std::string& why) {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file, line, why));
    };
    if (directives.kernels.size() > 1)
        reject(directives.kernels[1].line,
               "a library has one launch function, which launches all kernels of a generation: "
               "leave out all lines of kernels but one");
    const KernelDirective& kernel = directives.kernels.front();
    if (!kernel.constants.empty())
        reject(kernel.line,
               fmt::format("constant={0}:{1} fills an array of a file that camber compiles: take "
                           "the numbers as arguments, {1}[0] and so on",
                           kernel.constants.front().first, kernel.constants.front().second));
    if (!kernel.grid.empty() || !kernel.outputs.empty())
        reject(kernel.line, fmt::format("{} is for kernels that camber launches: leave it out, and "
                                        "do the same in the library",
                                        kernel.grid.empty() ? "out=" : "grid="));
    for (const std::string& argument : kernel.arguments)
        if (argument.starts_with("tex2d") || argument.starts_with("tex1d"))
            reject(
                kernel.line,
                fmt::format("{} is made for kernels that camber compiles: take in{} and make the "
                            "texture in the library",
                            argument, argument.substr(5)));
}

}  // namespace

bool is_launch_library(const fs::path& path) {
    return path.extension() == ".so";
}

LaunchLibrary::LaunchLibrary(const fs::path& path) : path_(path), handle_(nullptr, dlclose) {
    const std::string name = path.string();
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        throw Error(ExitCode::usage,
                    fmt::format("there is no file {}: name a shared library", name));
    const CandidateActivity loading(CandidateWork::loading, name, candidate_limits().work);
    // A path, so that it is not looked for among the system's libraries.
    handle_.reset(dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!handle_) {
        const std::string why = dlerror();
        throw Error(ExitCode::usage,
                    fmt::format("{} cannot be loaded as a shared library: {}", name, why));
    }
    const int version = *static_cast<const int*>(find("camber_launch_version"));
    if (version != CAMBER_LAUNCH_VERSION)
        throw Error(ExitCode::usage,
                    fmt::format("{} has version {} of the interface, and this camber has version "
                                "{}: compile it with camber's own camber/launch.h",
                                name, version, CAMBER_LAUNCH_VERSION));
    launch_ = reinterpret_cast<int (*)(const CamberLaunch*)>(find("camber_launch"));
    const auto* const lines = static_cast<const char*>(find("camber_launch_line"));
    directives_ = parse_directives(as_comments(lines), name);
    if (directives_.kernels.empty())
        throw Error(ExitCode::usage,
                    fmt::format("CAMBER_LAUNCH of {} has no line that says how its kernel is "
                                "launched: write for example \"{}\"",
                                name, std::string_view(example_line).substr(11)));
    reject_what_files_have(directives_, name);
}

void* LaunchLibrary::find(const char* symbol) const {
    if (void* const found = dlsym(handle_.get(), symbol)) return found;
    throw Error(ExitCode::usage,
                fmt::format("{} does not export {}: write its launch function behind "
                            "CAMBER_LAUNCH(...) of camber/launch.h",
                            path_.string(), symbol));
}

void LaunchLibrary::launch(std::span<const CamberArgument> arguments, void* stream) const {
    const CamberLaunch launch{arguments.data(), static_cast<int>(arguments.size()), stream};
    const int result = [&] {
        const CandidateActivity launching(CandidateWork::launching, path_.string(),
                                          candidate_limits().work);
        return launch_(&launch);
    }();
    if (result != 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("the launch function of {} returned {}, which as a cudaError_t "
                                "says why it could not launch: mend it there",
                                path_.string(), result));
}

}  // namespace camber
