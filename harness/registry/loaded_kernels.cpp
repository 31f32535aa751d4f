#include <dlfcn.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// Of variants/.
constexpr auto folders = std::to_array<std::string_view>({CAMBER_KERNEL_FOLDERS});

// Of the workload's name or, for a further workload of a folder (dog_image), of the name that its
// own begins with. Empty for an unknown workload.
std::string_view own_folder(std::string_view workload) {
    std::string_view found;
    for (const std::string_view folder : folders)
        if (workload == folder || (workload.starts_with(folder) && workload[folder.size()] == '_'))
            if (folder.size() > found.size()) found = folder;
    return found;
}

std::string cell_folder(std::string_view workload, ElementType cell) {
    return fmt::format("{}_{}", workload, info(cell).name);
}

// Where the workload's kernels lie, or those for one type of its cells.
std::vector<std::string_view> folders_of(std::string_view workload,
                                         std::optional<ElementType> cell) {
    const auto named = [](const std::string& name) { return std::ranges::find(folders, name); };
    if (cell)
        if (const auto folder = named(cell_folder(workload, *cell)); folder != folders.end())
            return {*folder};
    std::vector<std::string_view> found;
    if (const std::string_view folder = own_folder(workload); !folder.empty())
        found.push_back(folder);
    if (cell) return found;
    using enum ElementType;
    for (const ElementType type : {uint8, uint32, int32, float32, float64, bits})
        if (const auto folder = named(cell_folder(workload, type)); folder != folders.end())
            found.push_back(*folder);
    return found;
}

fs::path library_of(std::string_view folder) {
    return fs::read_symlink("/proc/self/exe").parent_path() / "kernels" /
           fmt::format("camber-{}.so", folder);
}

// The camber script, where it started this program; nullptr elsewhere.
const char* builder() {
    return std::getenv("CAMBER_BUILDER");
}

// The script asks Ninja, which does nothing where the library is up to date.
void build(std::string_view folder) {
    std::string script = builder();
    std::string target = fmt::format("camber-{}", folder);
    std::string option = "--build";
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
        throw Error(ExitCode::unavailable,
                    fmt::format("the kernels in variants/{} could not be built", folder));
}

void load(std::string_view folder) {
    static std::set<std::string_view> loaded;
    if (loaded.contains(folder)) return;
    if (builder() != nullptr) build(folder);
    const fs::path library = library_of(folder);
    if (!fs::exists(library))
        throw Error(ExitCode::unavailable,
                    fmt::format("the kernels in variants/{} are not built: start the program as "
                                "./camber, which builds them",
                                folder));
    // Registers its variants; stays loaded, because they are called until the program ends.
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the kernels in variants/{} cannot be loaded: {}", folder, dlerror()));
    loaded.insert(folder);
}

}  // namespace

void load_kernels(std::string_view workload, std::optional<ElementType> cell) {
    for (const std::string_view folder : folders_of(workload, cell)) load(folder);
}

void load_rule_kernels(std::string_view workload, ElementType cell) {
    const std::string name = cell_folder(fmt::format("{}_rules", workload), cell);
    if (const auto folder = std::ranges::find(folders, name); folder != folders.end())
        load(*folder);
}

void load_all_kernels() {
    for (const std::string_view folder : folders) load(folder);
}

bool load_built_kernels(std::string_view workload) {
    const auto of_workload = folders_of(workload, {});
    bool all = !of_workload.empty();
    for (const std::string_view folder : of_workload) {
        if (fs::exists(library_of(folder)))
            load(folder);
        else
            all = false;
    }
    return all;
}

fs::path kernel_sources() {
    const fs::path folder = CAMBER_SOURCE_DIR;
    if (fs::exists(folder / "variants")) return folder;
    throw Error(ExitCode::unavailable,
                fmt::format("the sources of the kernels are no longer in {}, and techniques are "
                            "compiled with them: build the program again",
                            folder.string()));
}

}  // namespace camber
