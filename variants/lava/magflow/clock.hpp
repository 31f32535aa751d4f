// Step length and simulated time on the device, so that no step of MAGFLOW waits for the host.
//
// The length is stored as the bit pattern of a nonnegative floating-point number. These patterns
// have the order of the numbers, so integer minima find the smallest.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "harness/registry/step.hpp"
#include "variants/stencil/views.hpp"
#include "workloads/lava/magflow/physics.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

template <class R>
using Word = typename magflow::Bits<R>::Type;

// Two one-element fields, which the stages add to the pipeline's store themselves.
template <class R>
class Clock {
  public:
    explicit Clock(FieldStore& store) : store_(store) {
        constexpr bool narrow = std::is_same_v<R, float>;
        add("dt", narrow ? ElementType::uint32 : ElementType::float64);
        add("time", ElementType::float64);
    }

    // Bit pattern of the step length, s.
    template <class T = Word<R>>
    Grid<T> dt() const {
        return {static_cast<T*>(store_.current("dt")), store_.layout("dt"), "dt"};
    }
    // Simulated time, s.
    template <class T = double>
    Grid<T> time() const {
        return {static_cast<T*>(store_.current("time")), store_.layout("time"), "time"};
    }

  private:
    void add(const char* field, ElementType element) {
        if (store_.has(field)) return;
        const std::array<std::byte, 8> zero{};
        const int size = info(element).size;
        store_.add(field, element, Layout::make(1, 1, 0, size, size),
                   std::span(zero).first(static_cast<std::size_t>(size)), Buffers::one);
    }

    FieldStore& store_;
};

// Step length as a word. NaN becomes a step of length 0, which wins every minimum.
template <class R>
CAMBER_DEVICE Word<R> word_of(R length) {
    return length >= 0 ? magflow::bits_of(length) : Word<R>(0);
}

// Minimum of a block's values; only its first thread gets the result. All threads of the block must
// call this function, and blocks must be whole warps.
template <class W>
CAMBER_DEVICE W magflow_block_least(W value) {
    __shared__ Tile<W, 1, 32> of_warps;
    constexpr unsigned all = 0xffffffffu;
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        const W other = __shfl_down_sync(all, value, distance);
        value = other < value ? other : value;
    }
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int warps = blockDim.x * blockDim.y / 32;
    if (thread % 32 == 0) of_warps(0, thread / 32) = value;
    __syncthreads();
    if (thread != 0) return value;
    for (int warp = 1; warp < warps; ++warp) {
        const W other = of_warps(0, warp);
        value = other < value ? other : value;
    }
    return value;
}

// Lowers `dt` to the minimum of the block's values. `longest` is the initial value of dt; blocks
// without a smaller value skip the atomic operation.
template <class W>
CAMBER_DEVICE void lower_to_least(W value, const Grid<W>& dt, W longest) {
    const W least = magflow_block_least(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && least < longest) atomicMin(&dt(0, 0), least);
}

// Grid of a field's current values.
template <class T>
Grid<T> current(FieldStore& store, const char* field) {
    return {static_cast<T*>(store.current(field)), store.layout(field), field};
}

CAMBER_TARGET_END
