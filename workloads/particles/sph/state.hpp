// State of an `sph` run: particles in the order of their numbers, each field one row of a board.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

// Fields of fluid, wall and obstacle particles. The latter two are at rest and have density 0,
// which excludes them from sums.
using PositionFields = std::array<const char*, 3>;
inline constexpr PositionFields position_fields{"x", "y", "z"};                 // m
inline constexpr std::array<const char*, 3> velocity_fields{"vx", "vy", "vz"};  // m/s
inline constexpr const char* density_field = "density";                         // kg/m^3
// Positions at the time of the last list build, which determine the contents of the list.
inline constexpr PositionFields listed_fields{"listed_x", "listed_y", "listed_z"};
inline constexpr const char* kind_field = "kind";  // bytes: Kind
inline constexpr const char* step_field = "step";  // one value: length of the next step, s
inline constexpr const char* time_field = "time";  // one float64: simulated time, s

// Entries that final states add to the account.
inline constexpr const char* spacing_account = "dp";
inline constexpr const char* list_radius_account = "list_radius";
inline constexpr const char* iterations_account = "iterations";

inline constexpr double first_step = 1e-5;  // s

// Number of iterations that led to this state, from the start of its scene.
int iterations_of(const State& state);

// Board with one row of `particles` cells.
Size board_of(std::int64_t particles);

// Initial state of a scene, with fields of type `real`. Throws Error like scene_of().
State initial_state(const Settings& settings, ElementType real);

// Figures of the whole fluid.
struct Figures {
    double time_s = 0;  // simulated
    std::int64_t iterations = 0;
    std::int64_t particles = 0;  // including walls
    double front_m = 0;          // largest x of fluid below z = 2 dp
    double mean_height_m = 0;    // of fluid
    double density_min = 0;      // of fluid, kg/m^3
    double density_max = 0;
    // Energy of the fluid, J: kinetic, potential above height 0, and elastic.
    double kinetic_j = 0;
    double potential_j = 0;
    double elastic_j = 0;
    // Number of pairs of fluid particles within the radius of influence that the neighbor list in
    // use does not contain.
    std::int64_t missed_pairs = 0;
};

// Figures, and final state, of a reference state. The final state's account contains the figures
// under their names.
Figures figures_of(const State& state);
FinalState final_of(const State& state);

}  // namespace camber::sph
