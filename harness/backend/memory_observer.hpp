// Told what the host does to a host queue's memory, so that a checker knows which bytes hold
// something.
#pragma once

#include <cstddef>

#include "harness/backend/queue.hpp"

namespace camber {

class MemoryObserver {
  public:
    virtual ~MemoryObserver() = default;
    virtual void allocated(const void* memory, std::size_t bytes) = 0;
    virtual void released(const void* memory) noexcept = 0;
    // Filled or copied from the host: every row of `shape`, `pitch` bytes apart.
    virtual void written(const void* memory, std::size_t pitch, Rectangle shape) = 0;
    // Queue::fill_bytes: poison, which nothing should read.
    virtual void poisoned(const void* memory, std::size_t pitch, Rectangle shape) = 0;
    virtual void copied(const void* to, const void* from, std::size_t bytes) = 0;
};

}  // namespace camber
