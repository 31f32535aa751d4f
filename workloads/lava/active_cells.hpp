// Active cells of a board: flags per cell, their halos, and boxes that cover them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/box.hpp"

namespace camber::lava {

// One flag per cell, row by row; nonzero: the cell is active.
using Mask = std::vector<std::uint8_t>;

// Active cells and the eight neighbors of each, within the board.
Mask with_ring(const Mask& mask, Size size);

// Bounding box of the active cells in `part`; empty if there are none.
Box box_in(const Mask& mask, Size size, const Box& part);

// A rectangle produced by cuts of the board, and the bounding box of its active cells, which may be
// empty.
struct Part {
    Box area;
    Box box;
};

// Cuts a board into at most `most` parts from edge to edge of what is cut (guillotine cuts), such
// that the boxes of the parts have few cells: first the best of all cuts along a row or a column,
// then of the parts the one whose best cut saves most. Ends early where no cut saves a cell.
std::vector<Part> guillotine(const Mask& mask, Size size, int most);

}  // namespace camber::lava
