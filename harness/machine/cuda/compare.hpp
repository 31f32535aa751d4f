// Comparing fields on the device.
#pragma once

#include <cstddef>

#include "harness/machine/queue/cell_difference.hpp"

namespace camber::cuda {

// Device memory that a comparison needs, bytes.
std::size_t comparison_bytes();

// Compares on `stream` (a cudaStream_t) cells in rows that begin `pitch` bytes apart with expected
// ones without a gap, both on the device, and waits for the answer. The sums are added in no
// certain order. `scratch`: comparison_bytes() of device memory.
FieldDifference compare(void* stream, void* scratch, const void* actual, std::size_t pitch,
                        const void* expected, ElementType element, Size size,
                        const CellLimits& limits);

}  // namespace camber::cuda
