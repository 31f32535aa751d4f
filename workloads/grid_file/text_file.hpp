// Text files that workloads start from and write.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace camber::grid_file {

// Throw Error(usage) where the file cannot be read. `kind` is what it is in messages ("grid file"),
// `wanted` what belongs in its place ("an ESRI ASCII grid").
std::ifstream open_text(const std::filesystem::path& path, std::string_view kind,
                        std::string_view wanted);
std::string read_text(const std::filesystem::path& path, std::string_view kind,
                      std::string_view wanted);

// Writes what `write` does in place of the file. Throws Error(unavailable) where that fails.
void write_text(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace camber::grid_file
