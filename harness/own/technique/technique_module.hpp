// A file's techniques compiled for a workload, with the workload's own source from variants/: what
// is built when the file stands in variants/techniques/, as a shared library of its own.
#pragma once

#include <filesystem>
#include <string>

#include "harness/own/source/build_cache.hpp"
#include "harness/own/technique/technique_file.hpp"

namespace camber {

struct TechniqueModule {
    std::string library;
    // A line for each kernel of the file: registers, spills; "" of one for the executor.
    std::string report;
};

struct ModuleRecipe {
    std::filesystem::path sources;  // the folder that variants/ stands in
    std::string variants;           // "variants/image/blur/blur.cu"
    int compute_capability = 0;     // 10 * major + minor of a GPU; 0: for the executor
};

// Throws Error(usage) with the compiler's messages where the file does not compile,
// Error(unavailable) where there is no compiler.
TechniqueModule compile_technique(const TechniqueFile& file, const ModuleRecipe& recipe,
                                  const BuildCache& cache);

}  // namespace camber
