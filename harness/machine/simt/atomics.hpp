// CUDA's atomic functions for the executor: `atomicAdd(&grid(row, column), value)` as on the
// device. They are atomic across the executor's CPU threads, and recorded as Operation::atomic.
// Each returns the value that it found.
#pragma once

#include <atomic>
#include <concepts>
#include <type_traits>

#include "harness/machine/simt/access.hpp"

namespace camber::simt {

// The types that CUDA's functions take (CUDA C++ Programming Guide, "Atomic Functions").
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

// Stores `value` where the cell holds `expected`.
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
