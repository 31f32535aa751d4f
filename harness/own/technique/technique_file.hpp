// A file of a user's own that has techniques as those in variants/techniques/ are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace camber {

struct TechniqueFile {
    std::filesystem::path path;  // as given
    std::string text;
    std::vector<std::string> structs;  // that add() their variants: "Transposed"
    std::vector<std::string> names;    // that the variants carry: "transposed"
    std::vector<std::string> kernels;
};

// By its name: NAME.hpp.
bool is_technique_file(const std::filesystem::path& path);

// Throws Error(usage) for a file that cannot be read, and for one without a technique.
TechniqueFile read_technique(const std::filesystem::path& path);

// The same of a text; `path` is named in messages.
TechniqueFile technique_from(const std::filesystem::path& path, std::string text);

}  // namespace camber
