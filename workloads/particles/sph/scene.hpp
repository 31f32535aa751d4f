// Initial positions of a scene's particles: lattices of one spacing.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

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
