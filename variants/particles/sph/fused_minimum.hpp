// Longest step found by the blocks that compute the forces: no limits in memory, and no kernel that
// reads them again.
#pragma once

#include <cstring>
#include <vector>

#include "variants/particles/sph/minimum.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// The bits of a number that is not negative: they are ordered as the numbers are.
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

// A thread. The next iteration's minimum begins anew.
template <class R>
__global__ void word_clock_kernel(const Grid<unsigned> least, const Grid<R> step,
                                  const Grid<double> time, const Constants<R> k) {
    const unsigned word = least(0, 0);
    advance_clock(step, time, k, value_of(word));
    least(0, 0) = bits_of(longest_step<float>);
}

// The least of what all threads of a block have, added to a word of `least`. By all of them.
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
        Grid<unsigned> least;  // bits_of() it

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
