// Makes a capture folder smaller. Memory pools contain more than a kernel uses: what it neither reads
// nor writes becomes zeros, which compress to almost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber::capture {

// Divides large parts that the kernel uses into pieces of whole pages, so that unused pieces can be
// found. Returns an empty vector if there is none.
std::vector<Part> pieces_of(const std::vector<Part>& parts);

// Parts of a launch's memory with their roles.
struct ExaminedLaunch {
    std::size_t index = 0;
    std::vector<Part> parts;
};

// Replaces the memory of unused parts by zeros, in the folder and in `capture`. Returns the number of
// bytes that are now zeros. If it fails, the folder is as before. Throws Error.
std::uint64_t trim(Capture& capture, const std::vector<ExaminedLaunch>& launches);

}  // namespace camber::capture
