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

// Removes the frame with which the data begin, and returns its text; nullopt if it is damaged, cut
// off, or longer than `longest` bytes of text.
std::optional<std::string> take_frame(std::string_view& data, std::size_t longest);

// The text of all frames; nullopt if one is damaged or cut off, or has more than 4 GiB.
std::optional<std::string> decompressed(std::string_view data);

// Returns `path`, or the compressed file of this name beside it if only that exists.
std::filesystem::path stored_file(const std::filesystem::path& path);

// The file's name without .json and .zst: "life".
std::string json_stem(const std::filesystem::path& path);

// True if the name ends with .json or .json.zst, as those of results files do.
bool is_json_file(const std::filesystem::path& path);

}  // namespace camber
