// Interleaved<T, K>: K fields of one type as a structure per cell, for the comparison of an array
// of structures with a structure of arrays. `member<k>(view, row, column)` loads one of them,
// `whole(view, row, column)` all by one access (K of 2 or 4), `store_member<k>` stores one.
#pragma once

#include "harness/machine/kernel/pack.hpp"

CAMBER_TARGET_BEGIN

// Two or four members may be moved by one access, and are aligned for it.
template <class T, int K>
struct alignas(K == 2 || K == 4 ? sizeof(T) * K : sizeof(T)) Interleaved {
    T slot[K];
};

#if CAMBER_ON_DEVICE

template <int k, class T, int K>
CAMBER_DEVICE T member(const Grid<const Interleaved<T, K>>& grid, int row, int column,
                       Site = Site::current()) {
    return grid(row, column).slot[k];
}

template <class T, int K>
CAMBER_DEVICE Interleaved<T, K> whole(const Grid<const Interleaved<T, K>>& grid, int row,
                                      int column, Site = Site::current()) {
    using Word = typename pack_detail::Word<K * sizeof(T)>::Type;
    const Word word = *reinterpret_cast<const Word*>(&grid(row, column));
    Interleaved<T, K> cell;
    memcpy(&cell, &word, sizeof(word));
    return cell;
}

template <int k, class T, int K>
CAMBER_DEVICE void store_member(const Grid<Interleaved<T, K>>& grid, int row, int column, T value,
                                Site = Site::current()) {
    grid(row, column).slot[k] = value;
}

#else

template <int k, class T, int K>
T member(const Grid<const Interleaved<T, K>>& grid, int row, int column,
         Site site = Site::current()) {
    return grid.member(row, column, k, site);
}

template <class T, int K>
Interleaved<T, K> whole(const Grid<const Interleaved<T, K>>& grid, int row, int column,
                        Site site = Site::current()) {
    return grid(row, column, site);
}

template <int k, class T, int K>
void store_member(const Grid<Interleaved<T, K>>& grid, int row, int column, T value,
                  Site site = Site::current()) {
    grid.member(row, column, k, site) = value;
}

#endif

CAMBER_TARGET_END
