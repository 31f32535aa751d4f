// Cells beyond the board's edge: neighbors on a torus, halos that copy interior cells, and padding
// bits of boards with one-bit cells.
#pragma once

#include "harness/base/layout.hpp"
#include "variants/stencil/views.hpp"

// Cells beyond the board's edge: computed per cell for fields without a halo, or stored in the halo
// of a torus, whose cells are copies of interior cells.
CAMBER_TARGET_BEGIN

// Remainder in [0, n), because a halo wider than the board wraps more than once.
CAMBER_DEVICE int wrap(int i, int n) {
    return i >= 0 && i < n ? i : ((i % n) + n) % n;
}

// Reads a cell through `view` if (row, column) is on the board; otherwise returns the value that
// the boundary defines.
template <Boundary boundary, class Rule, class Tag, class View>
CAMBER_DEVICE typename Tag::Type read_beyond_edge(const Views<Rule>& views, Tag, const View& view,
                                                  int row, int column, Site site) {
    if constexpr (boundary == Boundary::torus)
        return view(wrap(row, views.rows), wrap(column, views.columns), site);
    else
        return load_if(views.inside(row, column), view, row, column, Tag::outside(), site);
}

// Sets the halo of a torus with one thread per halo cell: first the rows above and below, including
// corners, then the two sides.
template <class T>
__global__ void torus_halo_kernel(const Grid<T> grid) {
    const int halo = grid.halo();
    const int width = grid.columns() + 2 * halo;
    const int above_and_below = 2 * halo * width;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row, column;
    if (i < above_and_below) {
        const int line = i / width;
        row = line < halo ? line - halo : grid.rows() + line - halo;
        column = i % width - halo;
    } else {
        const int side = i - above_and_below;
        if (side >= 2 * halo * grid.rows()) return;
        row = side / (2 * halo);
        const int step = side % (2 * halo);
        column = step < halo ? step - halo : grid.columns() + step - halo;
    }
    const T value = grid(wrap(row, grid.rows()), wrap(column, grid.columns()));
    grid(row, column) = value;
}

template <class T>
void refresh_torus_halo(Queue& queue, const Grid<T>& grid) {
    constexpr int threads = 128;
    const int cells = 2 * grid.halo() * (grid.columns() + 2 * grid.halo() + grid.rows());
    if (cells == 0) return;
    launch(queue, "torus_halo", {{unsigned((cells + threads - 1) / threads)}, {threads}},
           torus_halo_kernel<T>, grid);
}

CAMBER_TARGET_END

// Bits beyond the edge of a board with one-bit cells: words of the halo, and padding bits in the
// last words of a row.
CAMBER_TARGET_BEGIN

// True if a rule's elements are words of one-bit cells.
template <class Rule>
CAMBER_HD constexpr bool has_bits() {
    return requires {
        Rule::words_per_group;
    };
}

// Bits of a word that are not cells of the board. On a torus they are copies of the cells at those
// positions; otherwise they are 0.
CAMBER_DEVICE std::uint32_t bits_beyond(const Grid<std::uint32_t>& grid, BitOrder order,
                                        int columns, bool torus, int row, int word) {
    std::uint32_t bits = 0;
    if (!torus) return bits;
    const std::uint32_t cells = order.on_board(word, columns);
    for (int b = 0; b < bits_per_word; ++b) {
        if (cells >> b & 1) continue;
        const int column = wrap(order.column(word, b), columns);
        const std::uint32_t from = grid(row, order.word(column));
        bits |= (from >> order.bit(column) & 1) << b;
    }
    return bits;
}

// Sets, with one thread per row, the words beside the board and those that the board fills partly.
template <class Word>
__global__ void bit_sides_kernel(const Grid<Word> grid, const BitOrder order, const int columns,
                                 const bool torus) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= grid.rows()) return;
    const int full = columns / order.cells_per_group() * order.words_per_group;
    for (int word = full; word < grid.columns(); ++word) {
        const std::uint32_t own = grid(row, word);
        const std::uint32_t cells = own & order.on_board(word, columns);
        grid(row, word) = cells | bits_beyond(grid, order, columns, torus, row, word);
    }
    if (!torus) return;
    for (int i = 1; i <= grid.halo(); ++i) {
        grid(row, -i) = bits_beyond(grid, order, columns, torus, row, -i);
        const int word = grid.columns() - 1 + i;
        grid(row, word) = bits_beyond(grid, order, columns, torus, row, word);
    }
}

// Sets, with one thread per word, the halo rows above and below, whose sides must be set already.
template <class Word>
__global__ void bit_rows_kernel(const Grid<Word> grid) {
    const int halo = grid.halo();
    const int width = grid.columns() + 2 * halo;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * halo * width) return;
    const int line = i / width;
    const int row = line < halo ? line - halo : grid.rows() + line - halo;
    const int column = i % width - halo;
    const Word value = grid(wrap(row, grid.rows()), column);
    grid(row, column) = value;
}

inline void refresh_bits_beyond(Queue& queue, const Grid<std::uint32_t>& grid, BitOrder order,
                                int columns, bool torus) {
    // If the columns fill whole groups, words wrap around the torus unchanged.
    if (order.fills(columns)) {
        if (torus) refresh_torus_halo(queue, grid);
        return;
    }
    constexpr int threads = 128;
    const auto blocks = [](int count) {
        return static_cast<unsigned>((count + threads - 1) / threads);
    };
    launch(queue, "bit_sides", {{blocks(grid.rows())}, {threads}}, bit_sides_kernel<std::uint32_t>,
           grid, order, columns, torus);
    const int words = 2 * grid.halo() * (grid.columns() + 2 * grid.halo());
    if (torus && words > 0)
        launch(queue, "bit_rows", {{blocks(words)}, {threads}}, bit_rows_kernel<std::uint32_t>,
               grid);
}

CAMBER_TARGET_END
