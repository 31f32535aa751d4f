// Kernels and CUB calls behind the operations of a CUDA queue: fill, poison, compare, evict L2,
// deliver rows to other devices, reduce, select, and count the SMs in use. Each function enqueues
// on the given stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "harness/machine/queue/cell_difference.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber::cuda {

// Fills device memory with a repeated value.

// Enqueues on `stream` (a cudaStream_t): sets `count` elements to `value` (1, 2, 4, 8 or 16 bytes).
void fill(void* stream, void* memory, std::size_t count, std::span<const std::byte> value);

// Enqueues on `stream`: writes poison to every byte of the areas, in as few launches as possible.
void poison(void* stream, std::span<const ByteArea> areas, Poison poison);

// Comparison of fields on the device

// Device memory that a comparison needs, bytes.
std::size_t comparison_bytes();

// Compares cells on `stream` (a cudaStream_t) in rows that begin `pitch` bytes apart with
// contiguous expected ones, both on the device, and waits for the result. Sums are added in an
// unspecified order. `scratch`: comparison_bytes() of device memory.
FieldDifference compare(void* stream, void* scratch, const void* actual, std::size_t pitch,
                        const void* expected, ElementType element, Size size,
                        const CellLimits& limits);

// Evicts all other data from L2.

// Bytes to read to evict everything, on a device with `l2_bytes` of L2.
std::size_t evictor_size(std::size_t l2_bytes);

// Reads `bytes` of `memory`, 16-byte aligned, on `stream` (a cudaStream_t). Modified lines of other
// memory are written back and replaced by clean ones, so that the next kernel causes only its own
// traffic.
void evict(void* stream, const void* memory, std::size_t bytes);

// Finds the ids of the SMs that execute a launch.

// Counts the distinct SMs that the blocks of one launch on `stream` (a cudaStream_t) report; the
// launch has enough blocks to fill a device.
int count_distinct_sms(void* stream);

// Rows that a kernel stores into another device's memory, and the counters that signal them.
inline constexpr int most_transfers = 8;

// Enqueues on `stream` (a cudaStream_t) the copies and then an addition of 1 to `arrivals`. `done`:
// one number in the device's own memory, 0 before and after.
void deliver(void* stream, std::span<const Transfer> transfers, std::uint32_t* arrivals,
             std::uint32_t* done);

// Enqueues a wait until `arrivals` exceeds `taken`, and an addition of 1 to `taken`.
void await(void* stream, const std::uint32_t* arrivals, std::uint32_t* taken);

// Enqueues Queue::least_of_places().
void least_of_places(void* stream, const PlacesNumber& number);

// Reductions and selections by CUB.

// Returns device memory of at least `bytes` bytes, which no other call uses before the work
// enqueued with it has ended.
using Scratch = std::function<void*(std::size_t bytes)>;

// Enqueue on `stream` (a cudaStream_t) the operations of the Queue functions with the same names.
void minimum(void* stream, const Scratch& scratch, const float* values, std::size_t count,
             float* least);
void minimum(void* stream, const Scratch& scratch, const double* values, std::size_t count,
             double* least);
void select(void* stream, const Scratch& scratch, const std::uint8_t* flags, std::size_t count,
            std::int32_t* indices, std::int32_t* selected);

}  // namespace camber::cuda
