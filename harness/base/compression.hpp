// Zstandard (RFC 8878), the compressed form of results files: NAME.json.zst.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace camber {

// Suffix of files that are written compressed.
inline constexpr std::string_view compressed_suffix = ".zst";

// True if the data begin as a Zstandard frame does.
bool is_compressed(std::string_view data);

std::string compressed(std::string_view text);

// The text of all frames, or its first `most` bytes. nullopt if the data are damaged, cut off, or
// more than 4 GiB of text.
std::optional<std::string> decompressed(std::string_view data, std::size_t most);

// Returns `path`, or the compressed file of this name beside it if only that exists.
std::filesystem::path stored_file(const std::filesystem::path& path);

// The file's name without .json and .zst: "life".
std::string json_stem(const std::filesystem::path& path);

// True if the name ends with .json or .json.zst, as those of results files do.
bool is_json_file(const std::filesystem::path& path);

}  // namespace camber
