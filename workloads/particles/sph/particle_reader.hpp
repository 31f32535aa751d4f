// Reads particle files that camber wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace camber::sph {

struct SavedParticle {
    double x = 0, y = 0, z = 0;     // m
    double vx = 0, vy = 0, vz = 0;  // m/s
    double density = 0;             // kg/m^3
    double pressure = 0;            // Pa
    int kind = 0;                   // as Kind
};

// True if a path has the extension of a particle file.
bool is_particle_path(const std::filesystem::path& path);

// Throws Error(usage) for a file that write_particles() did not write, or that is cut off.
std::vector<SavedParticle> read_particles(const std::filesystem::path& path);

}  // namespace camber::sph
