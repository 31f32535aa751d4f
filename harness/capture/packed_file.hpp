// Compressed files of a capture folder, written by the recorder and read back within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/capture/launch_file.hpp"

namespace camber::capture {

using ByteVector = std::vector<unsigned char>;

// Hash of a file's content, against damage; it is no protection against an attacker.
std::string content_hash(std::span<const unsigned char> content);

// Writes `content` to a file of this name in `folder`, compressed if that is given, and returns its
// description. Throws Error(unavailable) if the file cannot be written.
StoredFile write_packed(const std::filesystem::path& folder, const std::string& name,
                        std::span<const unsigned char> content, bool compressed = true);

// Reads a file back. Throws Error(usage) if the file is missing, or if its content has another size
// or hash than described. Allocates no more than the described size, which the caller must check.
ByteVector read_packed(const std::filesystem::path& folder, const StoredFile& file);

}  // namespace camber::capture
