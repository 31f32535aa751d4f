// Files that an installation brings along, so that the commands of the guide work outside of a
// clone of the repository.
#pragma once

#include <filesystem>

namespace camber {

// Returns `path` if it exists, is absolute, or does not begin with results/, examples/ or
// workloads/. Otherwise returns the file or folder of that name below PREFIX/share/camber of
// the running program, if it exists, and else `path`. For input only: never write to what it
// returns.
std::filesystem::path found_file(const std::filesystem::path& path);

}  // namespace camber
