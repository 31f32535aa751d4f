// Files that belong to the program: shared libraries of a build tree, which are loaded on demand,
// and the data files of an installation.
#pragma once

#include <filesystem>
#include <string>

namespace camber {

// Files that an installation brings along, so that the commands of the guide work outside of a
// clone of the repository.

// Returns `path` if it exists, is absolute, or does not begin with results/, examples/ or
// workloads/. Otherwise returns the file or folder of that name below PREFIX/share/camber of
// the running program, if it exists, and else `path`. For input only: never write to what it
// returns.
std::filesystem::path found_file(const std::filesystem::path& path);

// Parts of the program of a build tree: shared libraries beside it, which are built and loaded when
// they are first asked for. A complete program has none.
struct ProgramPart {
    std::string target;          // of the build: "camber-life"
    std::filesystem::path file;  // relative to the program's folder: "kernels/camber-life.so"
    std::string what;            // "the kernels in variants/life/life"
};

std::filesystem::path path_of(const ProgramPart& part);

// Has the camber script build the part where it is not up to date, if the script started this
// program. Throws Error(unavailable) where that fails.
void build_part(const ProgramPart& part);

// Who sees what a part defines.
enum class Symbols { of_its_own, of_all };

// Loads the part, which stays loaded until the program ends; what dlopen() answers. Throws
// Error(unavailable) where it is not built or cannot be loaded.
void* load_part(const ProgramPart& part, Symbols symbols);

void* symbol_of_part(const ProgramPart& part, Symbols symbols, const char* name);

// A function of the part with C linkage. Throws as load_part(), and where the part has no such
// name.
template <class Function>
Function part_function(const ProgramPart& part, Symbols symbols, const char* name) {
    return reinterpret_cast<Function>(symbol_of_part(part, symbols, name));
}

}  // namespace camber
