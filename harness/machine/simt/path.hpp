// Sites as the executor knows them while it records: small numbers.
#pragma once

#include <cstdint>
#include <source_location>

#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

// The running thread's call path extended by `site`.
SiteId path_through(const std::source_location& site);

// Counts a visit of the running thread to `site` without an access.
void skip_visit(const std::source_location& site);

// What tells the next iteration of a loop from others; the loop's site is the running thread's call
// path, and the iterations of the turn that is open are counted.
std::uint64_t next_turn();

}  // namespace camber::simt
