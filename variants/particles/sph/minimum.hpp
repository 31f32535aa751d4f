// Minimum of the steps that all particles allow, by a library or by the blocks that compute the
// forces, and the clock that advances by it.
#pragma once

#include <cstring>
#include <limits>
#include <vector>

#include "variants/particles/sph/fields.hpp"

// Finds the longest step that all particles allow, and advances the clock by it.
CAMBER_WORKLOAD_BEGIN(sph)

template <class R>
inline constexpr R longest_step = std::numeric_limits<R>::max();  // for particles without a limit

// Length of the next step, and simulated time.
template <class R>
CAMBER_DEVICE void advance_clock(const Grid<R>& step, const Grid<double>& time,
                                 const Constants<R>& k, R limit) {
    const double so_far = time(0, 0);
    const R dt = step(0, 0);
    time(0, 0) = so_far + static_cast<double>(dt);
    step(0, 0) = step_of(k, limit);
}

// Value of poisoned limits: bytes that form a negative number. A minimum would return it, while it
// might ignore a NaN.
template <class R>
ByteArea poisoned_limits(const Row<R>& limits) {
    ByteArea area = limits.area();
    area.element = ElementType::uint8;
    return area;
}

// Kernel with one thread.
template <class R>
__global__ void clock_kernel(const Grid<R> least, const Grid<R> step, const Grid<double> time,
                             const Constants<R> k) {
    const R limit = least(0, 0);
    advance_clock(step, time, k, limit);
}

// Stores each particle's limit in memory, where a library finds the minimum (Rustico 2012, section
// 7.3.1).
template <class R>
class LibraryMinimum {
  public:
    struct Limits {
        Grid<R> all;
        bool second;  // second of an iteration's two evaluations: the shorter step of both counts

        // Called for every slot by all threads; `exists` is true if the slot has a particle.
        CAMBER_DEVICE void take(int slot, bool exists, bool is_fluid, R limit) const {
            if (!exists || (second && !is_fluid)) return;
            if (second) {
                const R earlier = all(0, slot);
                limit = limit < earlier ? limit : earlier;
            }
            all(0, slot) = limit;
        }
    };

    LibraryMinimum(Queue& queue, std::size_t count)
        : limits_(queue, count, "limit"), least_(queue, 1, "least") {}

    void upload(Queue&) {}
    std::vector<ByteArea> areas() const { return {poisoned_limits(limits_), least_.area()}; }
    Limits limits(bool second) const { return {limits_.grid(), second}; }
    void advance(Queue& queue, const Grid<R>& step, const Grid<double>& time,
                 const Constants<R>& k) const {
        queue.algorithms().minimum(limits_.data(), limits_.count(), least_.data());
        launch(queue, "clock", {{1}, {1}}, clock_kernel<R>, least_.grid(), step, time, k);
    }

  private:
    Row<R> limits_;
    Row<R> least_;
};

CAMBER_TARGET_END

// Longest step found by the blocks that compute the forces: limits are not stored in memory, and no
// kernel reads them again.
CAMBER_WORKLOAD_BEGIN(sph)

// Bit pattern of a nonnegative number; these patterns have the order of the numbers.
CAMBER_HD inline unsigned bits_of(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
CAMBER_HD inline float value_of(unsigned bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Kernel with one thread. Resets the next iteration's minimum.
template <class R>
__global__ void word_clock_kernel(const Grid<unsigned> least, const Grid<R> step,
                                  const Grid<double> time, const Constants<R> k) {
    const unsigned word = least(0, 0);
    advance_clock(step, time, k, value_of(word));
    least(0, 0) = bits_of(longest_step<float>);
}

// Lowers a word of `least` to the minimum of the block. Called by all its threads.
CAMBER_DEVICE void take_least(const Grid<unsigned>& least, int column, float limit) {
    constexpr unsigned all = 0xffffffffu;
    __shared__ Tile<unsigned, 1, 32> of_warps;
    unsigned word = bits_of(limit);
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        const unsigned other = __shfl_down_sync(all, word, distance);
        word = other < word ? other : word;
    }
    const int thread = static_cast<int>(threadIdx.x);
    if (thread % 32 == 0) of_warps(0, thread / 32) = word;
    __syncthreads();
    if (thread != 0) return;
    for (int warp = 1; warp < static_cast<int>(blockDim.x) / 32; ++warp) {
        const unsigned other = of_warps(0, warp);
        word = other < word ? other : word;
    }
    if (word < bits_of(longest_step<float>)) atomicMin(&least(0, column), word);
}

class FusedMinimum {
  public:
    struct Limits {
        Grid<unsigned> least;  // as bits_of()

        CAMBER_DEVICE void take(int /*slot*/, bool /*exists*/, bool is_fluid, float limit) const {
            take_least(least, 0, is_fluid ? limit : longest_step<float>);
        }
    };

    FusedMinimum(Queue& queue, std::size_t) : least_(queue, 1, "least") {}

    void upload(Queue& queue) { least_.upload(queue, {bits_of(longest_step<float>)}); }
    std::vector<ByteArea> areas() const { return {}; }
    Limits limits(bool /*second*/) const { return {least_.grid()}; }
    void advance(Queue& queue, const Grid<float>& step, const Grid<double>& time,
                 const Constants<float>& k) const {
        launch(queue, "clock", {{1}, {1}}, word_clock_kernel<float>, least_.grid(), step, time, k);
    }

  private:
    Row<unsigned> least_;
};

CAMBER_TARGET_END
