// CUDA C++ keywords, built-in variables, barriers, shuffles, votes and atomic functions for the
// host's compiler. Only kernel sources include this file, because it defines CUDA's keywords as
// macros.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "harness/base/bit_count.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/thread.hpp"

// CUDA C++ keywords that kernels use, for the host's compiler. Only kernel sources include this.

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// A CPU thread runs one block at a time, so its thread-local variable is the block's shared
// variable.
#define __shared__ static thread_local

#define threadIdx (::camber::simt::current->thread)
#define blockIdx (::camber::simt::current->block)
#define blockDim (::camber::simt::current->block_size)
#define gridDim (::camber::simt::current->grid_size)

inline constexpr int warpSize = 32;

inline void __syncthreads(std::source_location site = std::source_location::current()) {
    camber::simt::block_barrier(site);
}

inline void __syncwarp(unsigned mask = 0xffffffffu,
                       std::source_location site = std::source_location::current()) {
    camber::simt::warp_exchange(camber::simt::WarpOperation::synchronize, mask, 0, 0, site);
}

namespace camber::simt {

template <class T>
T shuffle(unsigned mask, T value, int source_lane, const std::source_location& site) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t), "a shuffle moves 8 bytes at most");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = warp_exchange(WarpOperation::shuffle, mask, bits, source_lane, site);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

// First lane of the segment of `width` lanes (a power of two) that contains this thread.
inline int segment_start(int width) {
    return lane() & ~(width - 1);
}

}  // namespace camber::simt

// CUDA C++ Programming Guide, "Warp Shuffle Functions": if the source is outside the segment, the
// result is the caller's own value (up, down, xor); __shfl_sync takes the source modulo the width.
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              std::source_location site = std::source_location::current()) {
    namespace simt = camber::simt;
    return simt::shuffle(mask, value, simt::segment_start(width) + (source & (width - 1)), site);
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 std::source_location site = std::source_location::current()) {
    namespace simt = camber::simt;
    const int source = simt::lane() - static_cast<int>(delta);
    return simt::shuffle(mask, value, source < simt::segment_start(width) ? simt::lane() : source,
                         site);
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   std::source_location site = std::source_location::current()) {
    namespace simt = camber::simt;
    const int source = simt::lane() + static_cast<int>(delta);
    return simt::shuffle(
        mask, value, source >= simt::segment_start(width) + width ? simt::lane() : source, site);
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                  std::source_location site = std::source_location::current()) {
    namespace simt = camber::simt;
    const int source = simt::lane() ^ lane_mask;
    return simt::shuffle(
        mask, value, source >= simt::segment_start(width) + width ? simt::lane() : source, site);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              std::source_location site = std::source_location::current()) {
    return static_cast<unsigned>(camber::simt::warp_exchange(
        camber::simt::WarpOperation::ballot, mask, predicate != 0 ? 1 : 0, 0, site));
}

inline int __any_sync(unsigned mask, int predicate,
                      std::source_location site = std::source_location::current()) {
    return __ballot_sync(mask, predicate, site) != 0;
}

inline int __all_sync(unsigned mask, int predicate,
                      std::source_location site = std::source_location::current()) {
    return __ballot_sync(mask, predicate, site) == (mask & camber::simt::existing_lanes());
}

inline int __popc(unsigned value) {
    return camber::bit_count(value);
}
inline int __ffs(int value) {
    return value == 0 ? 0 : std::countr_zero(unsigned(value)) + 1;
}
inline int __clz(int value) {
    return std::countl_zero(unsigned(value));
}

namespace camber::simt {

// CUDA's atomic functions for the executor: `atomicAdd(&grid(row, column), value)` as on the
// device. They are atomic across the executor's CPU threads, and recorded as Operation::atomic.
// Each returns the previous value.

// Types that CUDA's functions accept (CUDA C++ Programming Guide, "Atomic Functions").
template <class T>
concept AtomicInteger =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, unsigned long long>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept AtomicBits = AtomicInteger<T> || std::same_as<T, float>;

// Replaces the cell's value by f(value); f may be called several times.
template <class T, class F>
T update(const CellAddress<T>& address, const F& f) {
    offer(address.cell, Operation::atomic, address.space, address.site, address.field);
    const std::atomic_ref<T> cell(address.cell);
    T before = cell.load();
    while (!cell.compare_exchange_weak(before, f(before))) {
    }
    return before;
}

}  // namespace camber::simt

template <camber::simt::AtomicNumber T>
T atomicAdd(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T before) { return before + value; });
}

template <camber::simt::AtomicInteger T>
T atomicMin(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T before) { return value < before ? value : before; });
}

template <camber::simt::AtomicInteger T>
T atomicMax(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T before) { return before < value ? value : before; });
}

template <camber::simt::AtomicBits T>
T atomicExch(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T) { return value; });
}

// Stores `value` if the cell contains `expected`.
template <camber::simt::AtomicInteger T>
T atomicCAS(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> expected,
            std::type_identity_t<T> value) {
    return camber::simt::update(address,
                                [=](T before) { return before == expected ? value : before; });
}

template <camber::simt::AtomicInteger T>
T atomicOr(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T before) { return before | value; });
}

template <camber::simt::AtomicInteger T>
T atomicAnd(const camber::simt::CellAddress<T>& address, std::type_identity_t<T> value) {
    return camber::simt::update(address, [=](T before) { return before & value; });
}
