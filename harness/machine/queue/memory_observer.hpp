// Notifications of host queues to a checker: memory that is allocated, written or read, and vector
// clocks that order the work of several queues.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

// A vector clock (Mattern 1988, "Virtual Time and Global States of Distributed Systems"): for each
// lane, the number of its pieces of work that are known to be complete when a piece of work begins.
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
    // Merges the other clock: takes the maximum for each lane.
    void take(const WorkClock& other) {
        if (other.pieces_.size() > pieces_.size()) pieces_.resize(other.pieces_.size());
        for (std::size_t i = 0; i < other.pieces_.size(); ++i)
            pieces_[i] = std::max(pieces_[i], other.pieces_[i]);
    }

  private:
    std::vector<std::uint32_t> pieces_;
};

// Receives all host operations on the memory of a host queue, so that a checker can determine which
// bytes are initialized, and by whose work.
class WorkClock;

class MemoryObserver {
  public:
    virtual ~MemoryObserver() = default;
    // Subsequent operations, including launches, belong to queue number `number`; the work in
    // `known` is complete.
    virtual void work_begins(const Queue& /*queue*/, int /*number*/, const WorkClock& /*known*/) {}
    // Memory was read by work of a queue outside launches.
    virtual void read(const void* /*memory*/, std::size_t /*pitch*/, Rectangle /*shape*/) {}
    // The host's own memory was written by a transfer.
    virtual void host_written(const void* /*memory*/, std::size_t /*pitch*/, Rectangle /*shape*/) {}
    virtual void allocated(const void* memory, std::size_t bytes) = 0;
    virtual void released(const void* memory) noexcept = 0;
    // Memory was filled, or copied from the host: every row of `shape`, `pitch` bytes apart.
    virtual void written(const void* memory, std::size_t pitch, Rectangle shape) = 0;
    // Queue::poison: bytes that nothing should read before a launch has written them.
    virtual void poisoned(const ByteArea& area) = 0;
    virtual void copied(const void* to, const void* from, std::size_t bytes) = 0;
};

}  // namespace camber
