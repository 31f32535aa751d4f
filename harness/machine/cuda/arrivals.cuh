// Synchronization of kernels on several devices by counters in device memory.
#pragma once

#include <cstdint>

namespace camber::cuda {

__device__ inline unsigned long long nanoseconds() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

// Acquires: writes of another device before its increment of the count are visible afterwards.
__device__ inline std::uint32_t acquired(const std::uint32_t* count) {
    std::uint32_t value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(count) : "memory");
    return value;
}

// Timeout after which another device is considered to have failed.
inline constexpr unsigned long long patience_ns = 20'000'000'000;

// Returns once the count is at least `least`.
__device__ inline void wait_for(const std::uint32_t* count, std::uint32_t least) {
    const unsigned long long start = nanoseconds();
    while (static_cast<std::int32_t>(acquired(count) - least) < 0)
        if (nanoseconds() - start > patience_ns) __trap();
}

// Called by the block's first thread: adds 1 and returns the previous value. The address depends on
// threadIdx.x, which is 0. If it did not, the compiler would add for all active lanes together, and
// wait for the result at once.
__device__ inline std::uint32_t count_next(std::uint32_t* count) {
    std::uint32_t before;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;"
                 : "=r"(before)
                 : "l"(count + threadIdx.x)
                 : "memory");
    return before;
}

// Adds 1 after a barrier that follows all the block's stores: they are visible on this device to
// threads that acquire the count.
__device__ inline void count_block(std::uint32_t* count) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
}

__device__ inline void store_whole(std::uint64_t* to, std::uint64_t pair) {
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(pair) : "memory");
}

// Returns the word at `from` once its upper half is `time`.
__device__ inline std::uint64_t load_whole(const std::uint64_t* from, std::uint32_t time) {
    const unsigned long long start = nanoseconds();
    for (std::uint64_t pair;;) {
        asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(pair) : "l"(from) : "memory");
        if (pair >> 32 == time) return pair;
        if (nanoseconds() - start > patience_ns) __trap();
    }
}

// Called by one thread of each of `blocks` blocks, after a barrier that follows all the block's
// stores and their __threadfence_system(): the last block adds to `arrivals`. Returns true for the
// last block.
__device__ inline bool announce(std::uint32_t* done, unsigned blocks, std::uint32_t* arrivals) {
    if (blocks > 1) {
        if (atomicAdd(done, 1u) + 1 < blocks) return false;
        *done = 0;
        __threadfence_system();
    }
    atomicAdd_system(arrivals, 1u);
    return true;
}

}  // namespace camber::cuda
