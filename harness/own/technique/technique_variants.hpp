// User's own file with techniques in the form of those in variants/techniques/, and variants of a
// workload made from it. The file is compiled with the workload's kernels from variants/ into a shared library and loaded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/own/program.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

struct TechniqueFile {
    std::filesystem::path path;  // as given
    std::string text;
    std::vector<std::string> structs;  // structs with a function add() for their variants:
                                       // "Transposed"
    std::vector<std::string> names;    // technique names in the variants' names: "transposed"
    std::vector<std::string> kernels;
};

// Returns true for the file name NAME.hpp.
bool is_technique_file(const std::filesystem::path& path);

// Throws Error(usage) if the file cannot be read or contains no technique.
TechniqueFile read_technique(const std::filesystem::path& path);

// The same for a text; error messages name `path`.
TechniqueFile technique_from(const std::filesystem::path& path, std::string text);

// Compiles the file for the executor and, if the options name a GPU, for that GPU, and loads the
// results until the program ends. Throws Error(usage) if the file is invalid, if a built-in
// technique has the same name, and for workloads whose variants are not generated from a list of
// techniques.
std::vector<Variant> technique_variants(const std::filesystem::path& path, const Workload& workload,
                                        ElementType cell, const CandidateOptions& options = {});

// Compiler report on the file's kernels for the workload, for the GPU in the options.
std::string technique_report(const std::filesystem::path& path, const Workload& workload,
                             ElementType cell, const CandidateOptions& options);

}  // namespace camber
