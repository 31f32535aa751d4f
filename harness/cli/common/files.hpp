// Input and output files of a command: checks that an output does not overwrite an input, and the
// ceilings file or built-in card of --ceilings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// A file that a command reads or writes.
struct NamedFile {
    std::string name;  // as the user calls it: "--out", or the path itself
    std::filesystem::path path;
};

// Converts file arguments.
std::vector<NamedFile> named(const std::vector<std::string>& paths);

// Throws Error(usage) if an output equals an input, a file in an input folder, or another output,
// by its path or through symbolic or hard links. Empty paths are ignored.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// Ceilings of a device for --ceilings: from a file, or of a GPU that is built into the program.

// Names of the built-in GPUs, measured ones first: "h100", "h200", "a100-80gb", ...
std::vector<std::string> card_names();

// Reads `file_or_card`: an existing file, or otherwise the built-in GPU of that name, ignoring
// case. Throws Error(usage) with the names of all built-in GPUs if it is neither.
results::Document read_ceilings(const std::string& file_or_card);

}  // namespace camber
