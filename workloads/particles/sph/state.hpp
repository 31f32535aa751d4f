// The state of a run: particles in the order of their numbers, each field a row of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

// Fields of fluid, walls and obstacles. The latter two rest, with density 0: they enter no sum.
using PositionFields = std::array<const char*, 3>;
inline constexpr PositionFields position_fields{"x", "y", "z"};                 // m
inline constexpr std::array<const char*, 3> velocity_fields{"vx", "vy", "vz"};  // m/s
inline constexpr const char* density_field = "density";                         // kg/m^3
// Positions at the time of the last list build; they determine the list's contents.
inline constexpr PositionFields listed_fields{"listed_x", "listed_y", "listed_z"};
inline constexpr const char* kind_field = "kind";  // bytes: Kind
inline constexpr const char* step_field = "step";  // one value: length of the next step, s
inline constexpr const char* time_field = "time";  // one value of float64: since the start, s

// Entries of final states beside the fields.
inline constexpr const char* spacing_account = "dp";
inline constexpr const char* list_radius_account = "list_radius";
inline constexpr const char* iterations_account = "iterations";

inline constexpr double first_step = 1e-5;  // s

// How many iterations have led to this state, from the start of its scene.
int iterations_of(const State& state);

// A row of so many particles.
Size board_of(std::int64_t particles);

// The scene of `settings`, with fields of `real`. Throws Error as scene_of() does.
State initial_state(const Settings& settings, ElementType real);

// Figures of the whole fluid.
struct Figures {
    double time_s = 0;  // simulated
    std::int64_t iterations = 0;
    std::int64_t particles = 0;  // walls included
    double front_m = 0;          // largest x of fluid below z = 2 dp
    double mean_height_m = 0;    // of fluid
    double density_min = 0;      // of fluid, kg/m^3
    double density_max = 0;
    // Energy of the fluid, J: kinetic, potential above height 0, and elastic.
    double kinetic_j = 0;
    double potential_j = 0;
    double elastic_j = 0;
    // Pairs of fluid within the radius of influence that the list of neighbors in use lacks.
    std::int64_t missed_pairs = 0;
};

// Both of a state of the reference. A final state's account has the figures under their names.
Figures figures_of(const State& state);
FinalState final_of(const State& state);

}  // namespace camber::sph
