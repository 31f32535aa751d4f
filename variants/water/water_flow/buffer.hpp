// The shared-memory buffer of the water-flow kernels: a block's cells and the four edges beside
// them. Topa and Mlocek 2013, section 3.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/stencil/views.hpp"

CAMBER_WORKLOAD_BEGIN(water_flow)

inline constexpr int water_flow_block = 16;  // threads, and cells, of a block in both directions
inline constexpr int water_flow_buffer_rows = water_flow_block + 2;

// Columns of the buffer. The edge columns are stored by lanes a buffer's width apart, so that on 16
// banks an odd width is free of conflicts and 18 is not: the published width is 19. On 32 banks,
// where a warp stores both columns at once, it is the other way round.
inline constexpr int published_buffer_width = 19;
inline constexpr int narrow_buffer_width = 18;

template <class T, int Width>
using WaterFlowBuffer = Tile<T, water_flow_buffer_rows, Width>;

// Brings the block's cells, whose first one is (first_row, first_column), and their edges to
// `buffer`, each cell one row and column further on. The first four rows of threads load the edges:
// the row above and the one below, the column on the left and the one on the right. Corners stay
// unwritten. With Fit::overhang, so do cells beyond the field and its halo of one cell.
template <Fit fit, class T, int Width>
CAMBER_DEVICE void stage_with_edges(const Grid<const T>& field, WaterFlowBuffer<T, Width>& buffer,
                                    int first_row, int first_column) {
    const Window<const T> window = field.window(first_row, first_column);
    const int rows = field.rows() + 1 - first_row;
    const int columns = field.columns() + 1 - first_column;
    const auto exists = [&](int row, int column) {
        return fit == Fit::exact || (row < rows && column < columns);
    };
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    if (exists(y, x)) buffer(y + 1, x + 1) = window(y, x);
    if (y < 2) {
        const int row = (water_flow_block + 1) * y;
        if (exists(row - 1, x)) buffer(row, x + 1) = window(row - 1, x);
    } else if (y < 4) {
        const int column = (water_flow_block + 1) * (y - 2);
        if (exists(x, column - 1)) buffer(x + 1, column) = window(x, column - 1);
    }
    __syncthreads();
}

CAMBER_TARGET_END
