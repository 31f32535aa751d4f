// Input and output files of a command: checks that an output does not overwrite an input, and the
// ceilings file or built-in card of --ceilings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// The files that a command reads and writes.
struct NamedFile {
    std::string name;  // as the user calls it: "--out", or the path itself
    std::filesystem::path path;
};

// Files that are given as arguments.
std::vector<NamedFile> named(const std::vector<std::string>& paths);

// Throws Error(usage) where an output is an input, a file in a folder that is an input, or another
// output: by its path, or through symbolic or hard links. Empty paths stand for no file.
void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

// Ceilings of a device for --ceilings: from a file, or of a card that the program carries.

// Names of the cards that the program carries, measured ones first: "h100", "h200", "a100-80gb",
// ...
std::vector<std::string> card_names();

// Reads `file_or_card`: an existing file, else the card of that name in any case. Throws
// Error(usage) with the names of the cards if it is neither.
results::Document read_ceilings(const std::string& file_or_card);

}  // namespace camber
