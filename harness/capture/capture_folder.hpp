// Reader of capture folders. A folder may come from somebody else: every name, size, count and
// offset is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/capture/launch_file.hpp"
#include "harness/capture/packed_file.hpp"

namespace camber::capture {

struct Capture {
    std::filesystem::path folder;
    LaunchFile file;
    ByteVector code;  // cubin
};

// True if the path is a folder with a launch.json.
bool is_capture(const std::filesystem::path& path);

// Reads everything but the memory of the launches. Throws Error(usage) with one sentence if
// anything is missing, damaged or contradictory.
Capture read_capture(const std::filesystem::path& folder);

// Memory of a buffer before and after the launch.
struct BufferContent {
    ByteVector before;
    ByteVector changed;  // content of Buffer::changed

    // Content after the launch.
    ByteVector after(const Buffer& buffer) const;
};

// Reads the memory of launch number `index`. Throws Error(usage) if a file is damaged, and
// Error(unavailable) if the host has too little memory.
std::vector<BufferContent> read_memory(const Capture& capture, std::size_t index);

// A capture folder, and the number of one of its launches if the text is FOLDER@N.
struct CapturedReference {
    std::filesystem::path folder;
    std::optional<std::uint64_t> number;
};
CapturedReference captured_reference(const std::string& text);
// True if the folder of such a text is a capture.
bool names_captured_launch(const std::string& reference);

// Index of the reference's launch in the folder, by default of the first. Throws Error(usage) if the
// folder has no launch of that number.
std::size_t launch_index(const LaunchFile& file, const CapturedReference& reference);

}  // namespace camber::capture
