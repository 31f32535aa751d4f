// Cache of compiled kernel files on disk, keyed by source code, compiler and flags.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/files.hpp"

namespace camber {

class BuildCache {
  public:
    explicit BuildCache(CacheFolder folder) : folder_(std::move(folder)) {}

    // Build result of `recipe` (the unit's text, the compiler and its flags). Absent if it is not
    // cached or a file that the unit included has changed since.
    std::optional<std::string> find(std::string_view recipe) const;
    void keep(std::string_view recipe, const std::vector<std::filesystem::path>& included,
              std::string_view built) const;

  private:
    CacheFolder folder_;
};

// Part of a recipe that identifies a compiler: changes if the program file is replaced.
std::string identity_of(const std::filesystem::path& program);

// Files in a compiler's dependency file (-MMD), without the unit itself.
std::vector<std::filesystem::path> included_files(std::string_view makefile,
                                                  const std::filesystem::path& unit);

}  // namespace camber
