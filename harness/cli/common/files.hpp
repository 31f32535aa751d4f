// The files that a command reads and writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace camber {

struct NamedFile {
    std::string name;  // as the user calls it: "--out", or the path itself
    std::filesystem::path path;
};

// Files that are given as arguments.
std::vector<NamedFile> named(const std::vector<std::string>& paths);

// Throws Error(usage) where an output is an input, a file in a folder that is an input, or another
// output: by its path, or through symbolic or hard links. Empty paths stand for no file.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace camber
