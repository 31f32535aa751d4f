// Files that a killed process left beside one that it wrote (atomic_file.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace camber {

// Suffix of a file that is not complete yet.
inline constexpr std::string_view unfinished_suffix = ".camber-tmp";

// The lock file of `target`, and the target of a lock file.
std::filesystem::path lock_of(const std::filesystem::path& target);
std::filesystem::path target_of_lock(const std::filesystem::path& lock);

// Removes unfinished files beside `target` that no living process locks.
void remove_unfinished(const std::filesystem::path& target);

// Removes a lock file that no living process holds, and the unfinished files of its target.
void remove_leftovers_of(const std::filesystem::path& lock);

}  // namespace camber
