// Told what the host does to a host queue's memory, so that a checker knows which bytes hold
// something, and whose work did it.
#pragma once

#include <cstddef>

#include "harness/machine/queue/queue.hpp"

namespace camber {

class WorkClock;

class MemoryObserver {
  public:
    virtual ~MemoryObserver() = default;
    // What follows, launches too, is the work of this queue, which has this number, and for which
    // `known` is over.
    virtual void work_begins(const Queue& /*queue*/, int /*number*/, const WorkClock& /*known*/) {}
    // Of memory that work of a queue reads beside launches.
    virtual void read(const void* /*memory*/, std::size_t /*pitch*/, Rectangle /*shape*/) {}
    // Of the host's own memory, by a transfer.
    virtual void host_written(const void* /*memory*/, std::size_t /*pitch*/, Rectangle /*shape*/) {}
    virtual void allocated(const void* memory, std::size_t bytes) = 0;
    virtual void released(const void* memory) noexcept = 0;
    // Filled or copied from the host: every row of `shape`, `pitch` bytes apart.
    virtual void written(const void* memory, std::size_t pitch, Rectangle shape) = 0;
    // Queue::poison: bytes that nothing should read before a launch has written them.
    virtual void poisoned(const ByteArea& area) = 0;
    virtual void copied(const void* to, const void* from, std::size_t bytes) = 0;
};

}  // namespace camber
