// Parameters of a run of `sph`, by name in the harness and typed here, and the scenes that they
// select: initial positions on lattices of one spacing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/base/parameters.hpp"

namespace camber::sph {

// Parameters of a run of `sph`: by name in the harness, typed here.
enum class Scene {
    dam_break,      // DamBreak3D: a column of water collapses in a box with an obstacle
    bore,           // BoreInABox: a wall holds two thirds of the column
    bore_corridor,  // the same, and a second wall makes a corridor along one side
    still_water,    // in a tank that it fills to a depth of 0.4 m
    falling_block,  // of water, without any wall
    tall_column,    // twice as high as long, in a channel: the experiment of Martin and Moyce 1952
};

std::string_view name_of(Scene scene);  // "DamBreak3D"

struct Settings {
    double dp = 0.04;    // spacing of particles at the start, m
    double alpha = 0.3;  // artificial viscosity
    double cfl = 0.3;    // share of the longest stable step
    double nu = 1e-6;    // kinematic viscosity, m^2/s
    double time = 0;     // simulated, at which a run ends, s; 0: after its generations
    Scene scene = Scene::dam_break;
    int rebuild = 10;  // iterations that share a list of neighbors
    double skin = 0;   // reach of a list beyond 2h, in ways that two particles go meanwhile
};

// With the values by default.
std::vector<ParameterInfo> parameters();

// Throws Error(usage) for values that make no sense.
Settings settings_of(const ParameterSet& set);

// The spacing by default of a run whose board has so many cells: the finest of the usual ones of
// which the collapsing column has a particle for four cells or more, because a particle takes as
// long as several cells; or the coarsest.
double usual_spacing(std::int64_t cells);

// The spacing with which the same scene has so many times as many particles, within 1 %, m. Throws
// Error(usage) where no spacing does.
double spacing_of_more(const Settings& settings, double times);

// Initial positions of a scene's particles: lattices of one spacing.
enum class Kind : std::uint8_t { fluid = 0, wall = 1, obstacle = 2 };

struct Point {
    double x = 0;
    double y = 0;
    double z = 0;
};

// nx x ny x nz particles, dp apart, the first one at `corner`.
struct Lattice {
    Kind kind = Kind::fluid;
    Point corner;
    std::int64_t nx = 0;
    std::int64_t ny = 0;
    std::int64_t nz = 0;

    std::int64_t count() const { return nx * ny * nz; }
};

// Length, width and height of where the fluid may be, from (0, 0, 0) on, m. Fluid may leave it
// where no wall keeps it.
Point extent_of(const Settings& settings);

// Depth of the water at the start, m: the density follows from it.
inline constexpr double depth = 0.4;

// Throws Error(usage) for a spacing that leaves no fluid, Error(unavailable) for one that gives
// more particles than can be counted.
std::vector<Lattice> scene_of(const Settings& settings);

std::int64_t particle_count(const Settings& settings);

}  // namespace camber::sph
