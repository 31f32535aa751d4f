// Counts by which blocks of several launches wait for each other, as the recorder is told of them.
#pragma once

#include <cstdint>

namespace camber::simt {

// The running block has waited until `counter` came to `number`; it has counted it up to that.
void report_wait(const void* counter, std::uint32_t number);
void report_count(const void* counter, std::uint32_t number);

}  // namespace camber::simt
