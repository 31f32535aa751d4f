// Reader of a user's own file with techniques in the form of those in variants/techniques/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace camber
