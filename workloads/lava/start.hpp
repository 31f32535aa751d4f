// Eruptions from which runs start: read from files, refined, mirrored or with additional lava, or a
// synthetic volcano.
#pragma once

#include <cstdint>

#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {

// Boards derived from an eruption: refined cells, mirrored copies side by side, and additional
// lava.

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

// Synthetic volcano for runs without input files.

// Emission of the volcano's two vents over ten days: a curve that rises fast and falls slowly.
const EmissionRates& volcano_rates();

// A cone on rough ground whose summit, about 3000 m high, is in the middle of the board; one vent
// there, another down its flank, as far as the board has a place for it inside its outermost ring.
// `covered`, from 0 to 1, is the share of cells that have liquid lava at the start, up to 4 m, by
// the hash `mix`. Cells have a side of 10 m. The same on every machine.
Event volcano(Size size, std::uint64_t seed, double covered);

// Level ground, 1000 m high, with a crater in the middle that gives 3 m^3/s for ten days; the plane
// of the thesis on SCIARA-fv3, which does not say how much its crater gave. `covered`, cells: as
// above.
Event plane(Size size, std::uint64_t seed, double covered);

// Eruption from which a run of a lava workload starts.

// Event of the input's folder, tiled and with added lava as requested, or else the volcano. Throws
// Error(usage) if the conditions request another board size than the eruption's.
Event event_of(const InitialConditions& conditions);

}  // namespace camber::lava
