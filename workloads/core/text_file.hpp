// Text files that workloads write.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace camber::grid_file {

// Writes what `write` does instead of the file, whole or not at all. `kind` names it in messages.
// Throws Error(unavailable) where that fails.
void write_text(const std::filesystem::path& path, const std::string& kind,
                const std::function<void(std::ostream&)>& write);

}  // namespace camber::grid_file
