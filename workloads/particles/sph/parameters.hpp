// Parameters of an `sph` run, by name for the harness and typed here, and the scenes that they
// select: initial positions on lattices with one spacing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/base/parameters.hpp"

namespace camber::sph {

// Initial scene of a run.
enum class Scene {
    dam_break,      // DamBreak3D: a column of water collapses in a box with an obstacle
    bore,           // BoreInABox: a wall holds back two thirds of the column
    bore_corridor,  // same, with a second wall that forms a corridor along one side
    still_water,    // water at rest in a tank, 0.4 m deep
    falling_block,  // block of water without any walls
    tall_column,    // twice as high as long, in a channel: the experiment of Martin and Moyce 1952
};

std::string_view name_of(Scene scene);  // "DamBreak3D"

struct Settings {
    double dp = 0.04;    // initial particle spacing, m
    double alpha = 0.3;  // artificial viscosity
    double cfl = 0.3;    // CFL factor: share of the longest stable step
    double nu = 1e-6;    // kinematic viscosity, m^2/s
    double time = 0;     // simulated time at which a run ends, s; 0: after its generations
    Scene scene = Scene::dam_break;
    int rebuild = 10;  // iterations that share a neighbor list
    double skin = 0;   // added reach of lists, in units of the distance that two particles may
                       // approach meanwhile
};

// Parameters with default values.
std::vector<ParameterInfo> parameters();

// Throws Error(usage) for invalid values.
Settings settings_of(const ParameterSet& set);

// Default spacing for a board of `cells` cells: the finest usual spacing for which the collapsing
// column has at most one particle per four cells, because a particle takes as long as several
// cells; if there is none, the coarsest.
double usual_spacing(std::int64_t cells);

// Spacing with which the same scene has `times` as many particles, within 1 %, m. Throws
// Error(usage) if there is none.
double spacing_of_more(const Settings& settings, double times);

// Kind of a particle.
enum class Kind : std::uint8_t { fluid = 0, wall = 1, obstacle = 2 };

struct Point {
    double x = 0;
    double y = 0;
    double z = 0;
};

// Lattice of nx x ny x nz particles with spacing dp; the first one is at `corner`.
struct Lattice {
    Kind kind = Kind::fluid;
    Point corner;
    std::int64_t nx = 0;
    std::int64_t ny = 0;
    std::int64_t nz = 0;

    std::int64_t count() const { return nx * ny * nz; }
};

// Length, width and height of the fluid's domain, which begins at (0, 0, 0), m. Fluid may leave the
// domain if no wall encloses it.
Point extent_of(const Settings& settings);

// Initial depth of the water, m, from which the density follows.
inline constexpr double depth = 0.4;

// Lattices of a scene. Throws Error(usage) if the spacing leaves no fluid, and Error(unavailable)
// if it gives more particles than can be counted.
std::vector<Lattice> scene_of(const Settings& settings);

std::int64_t particle_count(const Settings& settings);

}  // namespace camber::sph
