// Wide accesses: several adjacent cells of a row (Pack), or all fields of one cell stored as a
// structure (Interleaved), move between memory and registers with one instruction.
#pragma once

#include <cstdint>
#include <type_traits>

#include "harness/base/target.hpp"
#include "harness/machine/kernel/grid.hpp"
#include "harness/machine/kernel/tile.hpp"

// Pack<T, N>: N adjacent cells of a row, moved between memory and registers by one access of N *
// sizeof(T) bytes (1, 2, 4, 8 or 16), like CUDA's float2 or uint4
//
// `pack<N>(view, row, column)` loads, `store_pack(view, row, column, cells)` stores. The address
// must be a multiple of the size: a column divisible by N, in a layout whose rows start at
// multiples of the size. `cell_of_pack(tile, row, column, k)` loads cell k of a pack in a tile.

#if !CAMBER_ON_DEVICE
    #include "harness/machine/simt/vector_types.hpp"
#endif

CAMBER_TARGET_BEGIN

template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
    T cell[N];
    CAMBER_HD T& operator[](int i) { return cell[i]; }
    CAMBER_HD const T& operator[](int i) const { return cell[i]; }
};

#if CAMBER_ON_DEVICE

namespace pack_detail {

// A type that the device loads and stores with one instruction.
template <int Bytes>
struct Word;
template <>
struct Word<1> {
    using Type = unsigned char;
};
template <>
struct Word<2> {
    using Type = unsigned short;
};
template <>
struct Word<4> {
    using Type = unsigned;
};
template <>
struct Word<8> {
    using Type = uint2;
};
template <>
struct Word<16> {
    using Type = uint4;
};

}  // namespace pack_detail

template <int N, class View>
CAMBER_DEVICE auto pack(const View& view, int row, int column, Site = Site::current()) {
    const auto& first = view(row, column);
    using T = std::remove_cvref_t<decltype(first)>;
    using Word = typename pack_detail::Word<N * sizeof(T)>::Type;
    const Word word = *reinterpret_cast<const Word*>(&first);
    Pack<T, N> cells;
    memcpy(&cells, &word, sizeof(word));
    return cells;
}

template <class View, class T, int N>
CAMBER_DEVICE void store_pack(const View& view, int row, int column, const Pack<T, N>& cells,
                              Site = Site::current()) {
    using Word = typename pack_detail::Word<N * sizeof(T)>::Type;
    Word word;
    memcpy(&word, &cells, sizeof(word));
    *reinterpret_cast<Word*>(&view(row, column)) = word;
}

template <class T, int N, int H, int W>
CAMBER_DEVICE T cell_of_pack(Tile<Pack<T, N>, H, W>& tile, int row, int column, int k,
                             Site = Site::current()) {
    return tile(row, column)[k];
}

#else

template <int N, class View>
auto pack(const View& view, int row, int column, Site site = Site::current()) {
    return view.template load_pack<N>(row, column, site);
}

template <class View, class T, int N>
void store_pack(const View& view, int row, int column, const Pack<T, N>& cells,
                Site site = Site::current()) {
    view.store_pack(row, column, cells, site);
}

template <class T, int N, int H, int W>
T cell_of_pack(Tile<Pack<T, N>, H, W>& tile, int row, int column, int k,
               Site site = Site::current()) {
    const auto of = &tile(row, column, site);
    return simt::Ref<T>{of.cell[k], of.space, site};
}

#endif

CAMBER_TARGET_END

// Interleaved<T, K>: K fields of one type as a structure per cell, to compare an array of
// structures with a structure of arrays. `member<k>(view, row, column)` loads one member,
// `whole(view, row, column)` loads all by one access (if K is 2 or 4), `store_member<k>` stores
// one.
CAMBER_TARGET_BEGIN

// Two or four members are aligned so that one access can move them.
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
