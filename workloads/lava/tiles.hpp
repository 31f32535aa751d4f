// Boards derived from an eruption: refined cells, mirrored copies side by side, and additional
// lava.
#pragma once

#include <cstdint>

#include "workloads/lava/event.hpp"

namespace camber::lava {

// The size of a board of this many copies of another. Throws Error(usage) for sides of more than
// 2^25 cells.
Size size_of(Size one, Size tiles);

// The eruption on cells of 1/times of the side, `times` from 1 on. Altitudes between the centers of
// the cells are interpolated (bilinear), but for cells without ground and beside such. Lava is as
// thick and as hot as in the cell that was divided, so that its volume stays; so does the real
// flow. A vent opens in one of the middle cells of its own. Throws as size_of().
Event refined(const Event& event, int times);

// The eruption `tiles.columns` times from west to east and `tiles.rows` times from north to south.
// The upper left copy is the original; neighboring copies mirror each other, so that the ground is
// continuous. Every copy has its vents, with the same ids and so the same rates, its lava and its
// real flow. Throws like size_of().
Event tiled(const Event& event, Size tiles);

// Puts lava on a share, 0 to 1, of the cells that have ground, no lava yet, and do not belong to
// the board's outermost ring: up to 4 m thick, 1260 to 1360 K hot, by the hash `mix`.
void add_lava(Event& event, std::uint64_t seed, double share);

}  // namespace camber::lava
