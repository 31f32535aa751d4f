// Kernels of the program of a build tree: shared libraries, built and loaded on demand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// Folders below variants/.
constexpr auto folders = std::to_array<std::string_view>({CAMBER_KERNEL_FOLDERS});

// Returns the folder with the workload's name. For a further workload of a folder (dog_image), that
// is the folder whose name is a prefix of the workload's (dog). Empty for an unknown workload.
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

// Returns the folders with the workload's kernels, or those for one cell type.
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

ProgramPart part_of(std::string_view folder) {
    const std::string name = fmt::format("camber-{}", folder);
    return {name, fs::path("kernels") / (name + ".so"),
            fmt::format("the kernels of {}", folder)};
}

// The library's initializers register its variants.
void load(std::string_view folder) {
    static std::set<std::string_view> loaded;
    if (loaded.contains(folder)) return;
    const ProgramPart part = part_of(folder);
    build_part(part);
    load_part(part, Symbols::of_its_own);
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
        if (fs::exists(path_of(part_of(folder))))
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
