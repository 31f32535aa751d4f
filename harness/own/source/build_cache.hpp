// What compilers made of kernels' files, kept for the next time.
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

    // What was made of `recipe`: the unit's text, the compiler and its flags. Nothing where a file
    // that the unit included has changed since.
    std::optional<std::string> find(std::string_view recipe) const;
    void keep(std::string_view recipe, const std::vector<std::filesystem::path>& included,
              std::string_view built) const;

  private:
    CacheFolder folder_;
};

// A program as a part of a recipe: another one at its place is another compiler.
std::string identity_of(const std::filesystem::path& program);

// The files that a compiler's dependency file (-MMD) names, without the unit itself.
std::vector<std::filesystem::path> included_files(std::string_view makefile,
                                                  const std::filesystem::path& unit);

}  // namespace camber
