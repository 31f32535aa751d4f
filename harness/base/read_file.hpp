// Files that are read as a whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace camber {

// The file's content, or its first `most` bytes; the file may be one of the installation's
// (installed_files.hpp). Throws Error(usage) where it cannot be read:
// "cannot read the KIND "PATH": Is a directory; give the path of WANTED". `kind` is what it is in
// messages ("grid file"), `wanted` what belongs in its place ("an ESRI ASCII grid").
std::string read_file(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace camber
