// Counts by which blocks of several launches wait for each other, as the recorder is told of them.
#pragma once

#include <cstdint>

namespace camber::simt {

// Returns once the count is `least` or more: blocks of a cooperative launch stop until then. Throws
// std::logic_error in another launch, which nothing can go on beside.
void wait_until_counted(const std::uint32_t* count, std::uint32_t least);

// The running block has waited until `counter` came to `number`; it has counted it up to that.
void report_wait(const void* counter, std::uint32_t number);
void report_count(const void* counter, std::uint32_t number);

}  // namespace camber::simt
