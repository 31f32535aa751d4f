// Kernels that do nothing but run into one limit of the device each. All functions enqueue on the
// target's stream; those that return a number return the work enqueued.
#pragma once

#include <cstddef>
#include <cstdint>

namespace camber::cuda {

struct CeilingTarget {
    void* stream = nullptr;  // a cudaStream_t
    int sm_count = 0;
    void* sink = nullptr;  // sink_bytes(); takes what keeps the compiler from dropping work
};

std::size_t sink_bytes(int sm_count);

// Sets the 32-bit words of a region to noise_word(0), noise_word(1), ..., each the bit pattern of a
// float in [1, 2).
void enqueue_noise(const CeilingTarget& target, void* memory, std::size_t bytes);
std::uint32_t noise_word(std::uint32_t index);

// How a working set is gone through. It is cut into as many arrays of equal length as the kind
// has: copy (from, to), read, write, triad (to, left, right; to = left + triad_factor * right).
enum class Traffic { copy, read, write, triad };

constexpr float triad_factor = 0.75f;

// Bytes of each array of a working set of `bytes`: a little under an even share.
std::size_t array_bytes(Traffic kind, std::size_t bytes);

// Goes `passes` times through the working set, past L1. Returns bytes read plus bytes written.
// `read` leaves the exclusive or of all words, passes counted, spread over the sink's words.
double enqueue_traffic(const CeilingTarget& target, Traffic kind, void* memory, std::size_t bytes,
                       unsigned passes);

// Every SM reads its shared memory, or l1_set_bytes of global memory that stay in its L1, 16 bytes
// per thread and free of bank conflicts. Both return the bytes read.
constexpr std::size_t l1_set_bytes = 20480;
double enqueue_shared_reads(const CeilingTarget& target, unsigned iterations);
double enqueue_l1_reads(const CeilingTarget& target, const void* set, unsigned iterations);

enum class Arithmetic { fp32_fma, fp64_fma, int32_add, int32_multiply_add, lop3 };

// Returns the operations done: a floating-point FMA counts two, the others one per lane.
double enqueue_arithmetic(const CeilingTarget& target, Arithmetic kind, unsigned iterations);

void enqueue_empty_kernel(const CeilingTarget& target);

// A graph of empty kernels, each after the one before.
class EmptyKernelGraph {
  public:
    EmptyKernelGraph(const CeilingTarget& target, int nodes);
    ~EmptyKernelGraph();
    EmptyKernelGraph(const EmptyKernelGraph&) = delete;
    EmptyKernelGraph& operator=(const EmptyKernelGraph&) = delete;

    void enqueue() const;

  private:
    void* stream_;
    void* executable_ = nullptr;  // a cudaGraphExec_t
};

}  // namespace camber::cuda
