// Cells beyond the board's edge: computed per cell in fields without a halo, or the halo of a
// torus, in which every cell is a copy of an interior cell.
#pragma once

#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

// Remainder with the sign of the divisor: a halo wider than the board wraps more than once.
CAMBER_DEVICE int wrap(int i, int n) {
    return i >= 0 && i < n ? i : ((i % n) + n) % n;
}

// A cell through `view` where (row, column) is on the board, else what the boundary has there.
template <Boundary boundary, class Rule, class Tag, class View>
CAMBER_DEVICE typename Tag::Type read_beyond_edge(const Views<Rule>& views, Tag, const View& view,
                                                  int row, int column, Site site) {
    if constexpr (boundary == Boundary::torus)
        return view(wrap(row, views.rows), wrap(column, views.columns), site);
    else
        return load_if(views.inside(row, column), view, row, column, Tag::outside(), site);
}

// One thread per halo cell: first the rows above and below, corners included, then the two sides.
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
