// Comparison of a replay's result with the recorded one, byte by byte.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/capture/packed_file.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber::capture {

std::size_t element_bytes(Element element);
// Value of the element at `bytes`; of Element::bytes, the byte.
double value_of(Element element, const unsigned char* bytes);

// True if both elements are within the tolerance; equal NaNs count as equal.
bool within(const ByteTolerance& tolerance, const unsigned char* expected,
            const unsigned char* actual);

// True if words that differ contain the same address before and after it moved.
using SameAddress = std::function<bool(std::uint64_t expected, std::uint64_t actual)>;

// Adds the differences of a buffer to `difference`.
void compare(std::uint64_t buffer, std::span<const unsigned char> expected,
             std::span<const unsigned char> actual, const std::vector<ByteTolerance>& tolerances,
             const SameAddress& same_address, Difference& difference);

// Differences between two replays, as a tolerance for others. `element`: type of the numbers, or
// bytes if it is unknown. nullopt if there are none.
std::optional<ByteTolerance> variation(std::uint64_t buffer, Element element,
                                       std::span<const unsigned char> first,
                                       std::span<const unsigned char> second);

}  // namespace camber::capture
