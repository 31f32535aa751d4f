// Where what took long to find out is kept for the next run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace camber {

// A folder of small files, each of which can be had again: what cannot be read is absent, what
// cannot be written is forgotten. Nothing here throws.
class CacheFolder {
  public:
    // $XDG_CACHE_HOME/camber or ~/.cache/camber; nothing is kept where neither variable is set.
    static CacheFolder of_user();

    // "": nothing is kept.
    explicit CacheFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::optional<std::string> read(const std::string& name) const;
    // Whole or not at all; files that have not been written for a month go.
    void write(const std::string& name, std::string_view text) const;

    // Removes the oldest files whose names begin so, until those that stay have no more bytes.
    void make_room(std::string_view prefix, std::uintmax_t bytes) const;

    // As a part of a file's name: other characters than letters, digits, '.', '_' and '-' become
    // '_'.
    static std::string part(std::string_view text);

  private:
    std::filesystem::path folder_;
};

}  // namespace camber
