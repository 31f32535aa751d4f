#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"

namespace camber {

namespace {

constexpr const char* library_name = "camber-commands.so";

}  // namespace

void add_commands(CLI::App& app, Action& chosen, const CommandLine& command_line) {
    if (command_line.size() > 1 && command_line[1] == "run")
        return add_run_command(app, chosen, command_line);
    const std::filesystem::path library =
        std::filesystem::read_symlink("/proc/self/exe").replace_filename(library_name);
    if (!std::filesystem::exists(library))
        throw Error(ExitCode::unavailable,
                    "all commands but run are in a library that is not built: start the program "
                    "as ./camber, which builds it");
    // Stays loaded, because the commands are called until the program ends.
    void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const add = loaded == nullptr ? nullptr : dlsym(loaded, "camber_add_all_commands");
    if (add == nullptr)
        throw Error(ExitCode::unavailable, fmt::format("the commands in {} cannot be loaded: {}",
                                                       library_name, dlerror()));
    reinterpret_cast<decltype(&camber_add_all_commands)>(add)(app, chosen, command_line);
}

}  // namespace camber
