// Active cells of a board: flags per cell, their halos, and boxes that cover them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/lava/box.hpp"

namespace camber::lava {

// A flag per cell, row by row; not 0: the cell is at work.
using Mask = std::vector<std::uint8_t>;

// The cells at work and the eight neighbors of each, as far as the board has them.
Mask with_ring(const Mask& mask, Size size);

// The least box around the cells at work that lie in `part`; empty where there are none.
Box box_in(const Mask& mask, Size size, const Box& part);

// A rectangle of a board that has been cut into such, and the box around its cells at work, which
// may be empty.
struct Part {
    Box area;
    Box box;
};

// Cuts a board into at most `most` parts from edge to edge of what is cut (guillotine cuts), such
// that the boxes of the parts have few cells: first the best of all cuts along a row or a column,
// then of the parts the one whose best cut saves most. Ends early where no cut saves a cell.
std::vector<Part> guillotine(const Mask& mask, Size size, int most);

}  // namespace camber::lava
