// Notifications of host queues to a checker: memory that is allocated, written or read, and vector
// clocks that order the work of several queues.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

// What is known to be over where a piece of work begins.

// For each lane, of how many of its pieces of work it is known that they come before (a vector
// clock: Mattern 1988, "Virtual Time and Global States of Distributed Systems").
class WorkClock {
  public:
    std::uint32_t of(int lane) const {
        const auto i = static_cast<std::size_t>(lane);
        return i < pieces_.size() ? pieces_[i] : 0;
    }
    void count(int lane) {
        const auto i = static_cast<std::size_t>(lane);
        if (i >= pieces_.size()) pieces_.resize(i + 1);
        ++pieces_[i];
    }
    // Knows what the other one knows too.
    void take(const WorkClock& other) {
        if (other.pieces_.size() > pieces_.size()) pieces_.resize(other.pieces_.size());
        for (std::size_t i = 0; i < other.pieces_.size(); ++i)
            pieces_[i] = std::max(pieces_[i], other.pieces_[i]);
    }

  private:
    std::vector<std::uint32_t> pieces_;
};

// Told what the host does to a host queue's memory, so that a checker knows which bytes hold
// something, and whose work did it.
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
