// Synthetic volcano for runs without input files.
#pragma once

#include <cstdint>

#include "workloads/lava/event.hpp"

namespace camber::lava {

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

}  // namespace camber::lava
