// Kernels of a complete program, which is linked with all of them: nothing needs to be loaded.
#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/registry/kernels.hpp"

namespace camber {

namespace fs = std::filesystem;

void load_kernels(std::string_view, std::optional<ElementType>) {}
void load_rule_kernels(std::string_view, ElementType) {}
void load_all_kernels() {}
bool load_built_kernels(std::string_view) {
    return true;
}

fs::path kernel_sources() {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    const fs::path folder = program.parent_path().parent_path() / "share/camber/sources";
    if (fs::exists(folder / "variants")) return folder;
    throw Error(ExitCode::unavailable,
                fmt::format("techniques are compiled with the sources of camber's kernels, which "
                            "{} does not have: install the whole package",
                            folder.string()));
}

}  // namespace camber
