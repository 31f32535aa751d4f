// All file readers of camber, with valid files to damage.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/supervised.hpp"

namespace camber::fuzz {

std::vector<Reader> all_readers();

// Adds readers of boards: saved states of runs, cells and eruptions.
void add_board_readers(std::vector<Reader>& readers);

// Files of the repository as seeds.
inline const std::filesystem::path root = CAMBER_SOURCE_DIR;
using Texts = std::vector<std::string>;
Texts texts_of(const std::vector<std::filesystem::path>& paths);
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            const std::string& ending);

}  // namespace camber::fuzz
