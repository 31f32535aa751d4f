#include "harness/base/program_files.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "harness/base/compression.hpp"
#include "harness/base/error.hpp"

namespace camber {

namespace fs = std::filesystem;

fs::path found_file(const fs::path& path) {
    constexpr std::array<std::string_view, 3> folders{"results", "examples", "workloads"};
    std::error_code error;
    fs::path stored = stored_file(path);
    if (path.empty() || path.is_absolute() || fs::exists(stored, error)) return stored;
    const fs::path plain = path.lexically_normal();
    if (std::ranges::find(folders, plain.begin()->string()) == folders.end()) return path;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return path;
    const fs::path installed =
        stored_file(program.parent_path().parent_path() / "share/camber" / plain);
    return fs::exists(installed, error) ? installed : path;
}

std::filesystem::path path_of(const ProgramPart& part) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / part.file;
}

void build_part(const ProgramPart& part) {
    // The script runs Ninja, which does nothing if the library is up to date.
    const char* const builder = std::getenv("CAMBER_BUILDER");
    if (builder == nullptr) return;
    std::string script = builder;
    std::string option = "--build";
    std::string target = part.target;
    std::array<char*, 4> words{script.data(), option.data(), target.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);
    pid_t child = 0;
    const int failure =
        posix_spawn(&child, script.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failure == 0) waitpid(child, &status, 0);
    if (failure != 0 || status != 0)
        throw Error(ExitCode::unavailable, fmt::format("{} could not be built", part.what));
}

void* load_part(const ProgramPart& part, Symbols symbols) {
    const std::filesystem::path library = path_of(part);
    if (!std::filesystem::exists(library))
        throw Error(
            ExitCode::unavailable,
            fmt::format("{} are not built: start the program as ./camber, which builds them",
                        part.what));
    const int scope = symbols == Symbols::of_all ? RTLD_GLOBAL : RTLD_LOCAL;
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | scope);
    if (loaded == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("{} cannot be loaded: {}", part.what, dlerror()));
    return loaded;
}

void* symbol_of_part(const ProgramPart& part, Symbols symbols, const char* name) {
    void* const found = dlsym(load_part(part, symbols), name);
    if (found == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("{} cannot be loaded: {}", part.what, dlerror()));
    return found;
}

}  // namespace camber
