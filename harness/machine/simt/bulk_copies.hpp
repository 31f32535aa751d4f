// Asynchronous bulk copies of the running block, and the barriers by which threads wait for them.
//
// Until a thread waits for a copy, its destination is poisoned, because on the device the bytes may
// have any value. The copy reads its source as late as possible, so that a kernel that uses the
// bytes too early computes wrong values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "harness/machine/simt/recorder.hpp"

namespace camber::simt {

// Implementation of harness/machine/kernel/bulk_copy.hpp. `barrier`: eight bytes of shared memory.
void make_copy_barrier(const void* barrier, unsigned arrivals, const std::source_location& site);
void expect_copies(const void* barrier, std::size_t bytes, const std::source_location& site);
void await_copies(const void* barrier, unsigned parity, const std::source_location& site);

struct CopySource {
    const void* from = nullptr;
    const Field* field = nullptr;
};
void begin_bulk_copy(void* to, const CopySource& from, std::size_t bytes, const void* barrier,
                     const std::source_location& site);

// Bulk copies of one block. Functions that return a sentence return an error message, or "" on
// success.
class BulkCopies {
  public:
    struct Copy {
        std::byte* to;
        const std::byte* from;
        std::size_t bytes;
        std::uint32_t thread;  // that started it
        std::source_location site;
    };

    void clear() { barriers_.clear(); }
    void make(const void* barrier, unsigned arrivals);
    std::string expect(const void* barrier, std::size_t bytes);
    std::string begin(const void* barrier, const Copy& copy);
    // Returns true if the phase of that parity is complete; performs the phase's copies if it can
    // be completed.
    bool has_completed(const void* barrier, unsigned parity);

    bool knows(const void* barrier) const;
    std::uint64_t phase(const void* barrier) const;
    // Describes why the current phase of a barrier is not complete.
    std::string describe(const void* barrier) const;
    // A copy in progress; nullptr if there is none.
    const Copy* under_way() const;

  private:
    struct Barrier {
        const void* address;
        unsigned arrivals;  // per phase
        unsigned missing;
        std::size_t expected = 0;  // bytes
        std::size_t come = 0;
        std::uint64_t phase = 0;
        std::vector<Copy> copies;  // in progress
    };
    const Barrier* find(const void* barrier) const;
    Barrier* find(const void* barrier);

    std::vector<Barrier> barriers_;
};

}  // namespace camber::simt
