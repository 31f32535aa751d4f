// Initial eruptions of runs and the options that change them: read from files, refined, mirrored or
// with additional lava, or a synthetic volcano.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {

// Options of lava workloads: --tile, --refine and --ground.
std::vector<WorkloadOption> start_options();

// Values of these options.
struct StartChoices {
    // Number of copies of an eruption's ground from west to east and from north to south. Each copy
    // mirrors its neighbors, so that altitudes are equal on both sides of a seam.
    Size tiles{1, 1};
    // Each cell of an eruption is divided into refinement x refinement cells.
    int refinement = 1;
    bool plane = false;  // of the generated grounds, the plane instead of the volcano
};
StartChoices start_choices(const OptionValues& options);

// Throws Error(usage) if options for an input are given without one, or the other way round.
void check_choices(const InitialConditions& conditions);

// Describes the changes of an eruption that is read from a folder: " in 8x11 tiles"; or "".
// `added_density` is Workload::added_density().
std::string changes_note(const InitialConditions& conditions, double added_density);

// Boards derived from an eruption: refined cells, mirrored copies side by side, and additional
// lava.

// Size of a board of `tiles` copies of another board. Throws Error(usage) if a side exceeds 2^25
// cells.
Size size_of(Size one, Size tiles);

// Divides each cell of the eruption into times x times cells. Altitudes between cell centers are
// interpolated bilinearly, except for cells without ground and their neighbors. Thickness and
// temperature of lava are those of the original cell, which preserves the volume; the real flow's
// outline is copied, too. A vent opens in a cell in the middle of its original cell. Throws like
// size_of().
Event refined(const Event& event, int times);

// Repeats the eruption `tiles.columns` times from west to east and `tiles.rows` times from north to
// south. The upper left copy is the original; neighboring copies mirror each other, so the ground
// is continuous. Every copy has the original's vents with the same ids and rates, its lava and its
// real flow. Throws like size_of().
Event tiled(const Event& event, Size tiles);

// Adds lava to a share, 0 to 1, of the cells that have ground and no lava and are not in the
// outermost ring of the board. Its thickness is up to 4 m, its temperature 1260 to 1360 K; the hash
// `mix` selects cells and values.
void add_lava(Event& event, std::uint64_t seed, double share);

// Generated eruptions for runs without input files.

// Emission of the volcano's two vents over ten days: a curve that rises fast and falls slowly.
const EmissionRates& volcano_rates();

// Cone on rough ground, whose summit in the middle of the board is about 3000 m high. One vent is
// at the summit, another on its flank, provided that the board has room for it inside its outermost
// ring. `covered`, from 0 to 1, is the share of cells with liquid lava at the start, up to 4 m
// thick, selected by the hash `mix`. The cell side is 10 m. The result is the same on every
// machine.
Event volcano(Size size, std::uint64_t seed, double covered);

// Level ground at 1000 m, with a crater in the middle that emits 3 m^3/s for ten days: the plane of
// the thesis on SCIARA-fv3, which does not state the emission rate. `covered` and cells as above.
Event plane(Size size, std::uint64_t seed, double covered);

// Event in the input folder, refined, tiled and with additional lava as requested; without an
// input, the generated ground. Throws Error(usage) if the conditions request another board size
// than the eruption's.
Event event_of(const InitialConditions& conditions);

}  // namespace camber::lava
