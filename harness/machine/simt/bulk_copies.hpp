// Bulk copies of the running block, and the barriers by which threads wait for them.
//
// A copy goes on by itself. Until a thread waits for it, its bytes are poison here: on the device
// they may be anything. So it reads as late as it may, and what reads them too early is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "harness/machine/simt/recorder.hpp"

namespace camber::simt {

// Words for kernels (harness/machine/kernel/bulk_copy.hpp). `barrier`: eight bytes of shared
// memory.
void make_copy_barrier(const void* barrier, unsigned arrivals, const std::source_location& site);
void expect_copies(const void* barrier, std::size_t bytes, const std::source_location& site);
void await_copies(const void* barrier, unsigned parity, const std::source_location& site);

struct CopySource {
    const void* from = nullptr;
    const Field* field = nullptr;
};
void begin_bulk_copy(void* to, const CopySource& from, std::size_t bytes, const void* barrier,
                     const std::source_location& site);

// Those of one block, as its runner keeps them. Each function that returns a sentence returns what
// is wrong, or "".
class BulkCopies {
  public:
    struct Copy {
        std::byte* to;
        const std::byte* from;
        std::size_t bytes;
        std::uint32_t thread;  // that began it
        std::source_location site;
    };

    void clear() { barriers_.clear(); }
    void make(const void* barrier, unsigned arrivals);
    std::string expect(const void* barrier, std::size_t bytes);
    std::string begin(const void* barrier, const Copy& copy);
    // Whether the phase of that parity is complete; lets copies come where it can be.
    bool has_completed(const void* barrier, unsigned parity);

    bool knows(const void* barrier) const;
    std::uint64_t phase(const void* barrier) const;
    // Why the current phase of a barrier is not complete.
    std::string describe(const void* barrier) const;
    // A copy that is under way; nullptr where none is.
    const Copy* under_way() const;

  private:
    struct Barrier {
        const void* address;
        unsigned arrivals;  // of a phase
        unsigned missing;
        std::size_t expected = 0;  // bytes
        std::size_t come = 0;
        std::uint64_t phase = 0;
        std::vector<Copy> copies;  // under way
    };
    const Barrier* find(const void* barrier) const;
    Barrier* find(const void* barrier);

    std::vector<Barrier> barriers_;
};

}  // namespace camber::simt
