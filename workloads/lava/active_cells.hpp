// Active cells of a board: bounding box of the lava, flags per cell, their halos, and boxes that
// cover them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/state.hpp"

namespace camber::lava {

// Bounding box of a board's lava.
struct Box {
    int first_row = 0, end_row = 0;
    int first_column = 0, end_column = 0;
    bool empty() const { return first_row >= end_row; }
    int rows() const { return end_row - first_row; }
    int columns() const { return end_column - first_column; }
    bool has(int row, int column) const {
        return row >= first_row && row < end_row && column >= first_column && column < end_column;
    }
    // Index of a cell within the box, row by row.
    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row - first_row) * columns() + column - first_column;
    }

    void include(int row, int column) {
        first_row = std::min(first_row, row);
        end_row = std::max(end_row, row + 1);
        first_column = std::min(first_column, column);
        end_column = std::max(end_column, column + 1);
    }
    // Returns the box extended by one cell on every side, clipped to the board.
    Box grown(Size size) const {
        return {std::max(0, first_row - 1), std::min(size.rows, end_row + 1),
                std::max(0, first_column - 1), std::min(size.columns, end_column + 1)};
    }
};

// Bounding box of the cells with lava. If there is none, first_row is size.rows and end_row is 0.
template <class R>
Box box_of(std::span<const R> thickness, Size size) {
    Box box{size.rows, 0, size.columns, 0};
    for (int row = 0; row < size.rows; ++row) {
        const R* cells = thickness.data() + static_cast<std::ptrdiff_t>(row) * size.columns;
        const auto has_lava = [&](int column) { return cells[column] > 0; };
        int first = 0;
        while (first < size.columns && !has_lava(first)) ++first;
        if (first == size.columns) continue;
        int last = size.columns - 1;
        while (!has_lava(last)) --last;
        box.include(row, first);
        box.include(row, last);
    }
    return box;
}

// Masks of active cells, and division of a board into boxes.

// One flag per cell, row by row; nonzero if the cell is active.
using Mask = std::vector<std::uint8_t>;

// Returns the active cells and the eight neighbors of each, clipped to the board.
Mask with_ring(const Mask& mask, Size size);

// Bounding box of the active cells in `part`; empty if there are none.
Box box_in(const Mask& mask, Size size, const Box& part);

// Rectangle produced by cuts of the board, and the bounding box of its active cells, which may be
// empty.
struct Part {
    Box area;
    Box box;
};

// Divides a board into at most `most` parts by cuts from edge to edge of a part (guillotine cuts),
// so that the bounding boxes of the parts contain few cells. It is a greedy search: in each round,
// the best cut along a row or a column divides the part for which it saves most. Stops early if no
// cut saves a cell.
std::vector<Part> guillotine(const Mask& mask, Size size, int most);

// Cells of `set` in the order in which a launch list on a device receives them if lava spreads
// evenly from the vents; the cells that it cannot reach follow in ascending order. In a run, a list
// has the order of arrival. A list in ascending order needs fewer memory sectors, so steps from a
// saved state would seem faster than those of the run that made it.
std::vector<int> in_order_of_arrival(Mask set, const Mask& vents, Size size);

}  // namespace camber::lava
