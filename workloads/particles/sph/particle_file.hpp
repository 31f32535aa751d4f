// Particle files for other programs: writes legacy VTK for ParaView and VisIt and CSV, and reads
// files that camber wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/state.hpp"

namespace camber::sph {

// Writer of particle files.

// Throws Error(usage) if the path ends neither in .vtk nor in .csv.
void check_particle_path(const std::filesystem::path& path);

// Writes position, velocity, density, pressure, kind and number of every particle; `comment` is one
// line. Throws Error(unavailable) if the file cannot be written.
void write_particles(const State& state, const std::filesystem::path& path,
                     const std::string& comment);

// Particle of a file that camber wrote.
struct SavedParticle {
    double x = 0, y = 0, z = 0;     // m
    double vx = 0, vy = 0, vz = 0;  // m/s
    double density = 0;             // kg/m^3
    double pressure = 0;            // Pa
    int kind = 0;                   // see Kind
};

// True if a path has the extension of a particle file.
bool is_particle_path(const std::filesystem::path& path);

// Throws Error(usage) if write_particles() did not write the file, or if the file is truncated.
std::vector<SavedParticle> read_particles(const std::filesystem::path& path);

}  // namespace camber::sph
