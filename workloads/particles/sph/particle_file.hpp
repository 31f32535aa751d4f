// Particle files for other programs: legacy VTK for ParaView and VisIt, CSV for the rest.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/state.hpp"

namespace camber::sph {

// Throws Error(usage) for a path that ends neither in .vtk nor in .csv.
void check_particle_path(const std::filesystem::path& path);

// Every particle with its position, velocity, density, pressure, kind and number. `comment`: a
// line. Throws Error(unavailable) where the file cannot be written.
void write_particles(const State& state, const std::filesystem::path& path,
                     const std::string& comment);

}  // namespace camber::sph
