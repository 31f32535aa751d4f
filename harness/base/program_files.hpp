// Files that belong to the program: shared libraries of a build tree, which are loaded on demand,
// and the data files of an installation.
#pragma once

#include <filesystem>
#include <string>

namespace camber {

// Data files of an installation, so that the commands of the guide work outside a clone of the
// repository

// Returns `path` if it exists, or the compressed file of this name (stored_file() in
// compression.hpp). A path that begins with results/, examples/ or workloads/ is also looked for
// below PREFIX/share/camber of the running program. Returns `path` if there is no such file. For input only: never write to what it
// returns.
std::filesystem::path found_file(const std::filesystem::path& path);

// A part of the program in a build tree: a shared library beside it, which is built and loaded when
// it is first needed. A complete program has none.
struct ProgramPart {
    std::string target;          // build target: "camber-life"
    std::filesystem::path file;  // relative to the program's folder: "kernels/camber-life.so"
    std::string what;            // "the kernels of life"
};

std::filesystem::path path_of(const ProgramPart& part);

// Makes the camber script build the part if it is not up to date, if the script started this
// program. Throws Error(unavailable) if that fails.
void build_part(const ProgramPart& part);

// Visibility of the part's symbols: for the part alone, or for all.
enum class Symbols { of_its_own, of_all };

// Loads the part, which stays loaded until the program ends; returns the result of dlopen(). Throws
// Error(unavailable) if it is not built or cannot be loaded.
void* load_part(const ProgramPart& part, Symbols symbols);

void* symbol_of_part(const ProgramPart& part, Symbols symbols, const char* name);

// Returns a function of the part with C linkage. Throws the errors of load_part(), and an Error if
// the part has no such function.
template <class Function>
Function part_function(const ProgramPart& part, Symbols symbols, const char* name) {
    return reinterpret_cast<Function>(symbol_of_part(part, symbols, name));
}

}  // namespace camber
