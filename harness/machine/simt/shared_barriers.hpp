// Barriers in shared memory at which threads of a block arrive and wait separately, and which count
// the bytes of bulk copies: cuda::barrier in user files. They are made by make_copy_barrier().
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "harness/machine/simt/bulk_copies.hpp"

namespace camber::simt {

// Arrives `arrivals` times and announces the bytes of copies. Returns the phase.
std::uint64_t arrive_at(const void* barrier, unsigned arrivals, std::size_t bytes,
                        const std::source_location& site);

// Waits until the phase is complete. `orders`: accesses before the wait are ordered before those of
// threads that have waited. Accesses between an arrival and its wait count as before the arrival.
void await_phase(const void* barrier, std::uint64_t phase, bool orders,
                 const std::source_location& site);

// The latest phase that is not complete.
std::uint64_t phase_of(const void* barrier, const std::source_location& site);

// Like begin_bulk_copy(), for shared memory whose content is not stored at the address that the
// recorder receives, `recorded_to`.
void begin_bulk_copy(void* to, const void* recorded_to, const CopySource& from, std::size_t bytes,
                     const void* barrier, const std::source_location& site);

}  // namespace camber::simt
