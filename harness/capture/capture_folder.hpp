// Reader of capture folders. A folder may come from somebody else: every name, size, count and
// offset is checked before it is used.
#pragma once

#include <cstddef>
#include <filesystem>
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

}  // namespace camber::capture
