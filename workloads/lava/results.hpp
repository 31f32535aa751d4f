// What a lava workload writes: the folder of an event at a later step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "workloads/lava/event.hpp"

namespace camber::lava {

// Lava on the ground, row by row.
struct Rasters {
    std::span<const double> altitude, thickness, temperature, solidified;
};

// Writes PREFIX_NNNNNNNNNNNN.cfg, _EmissionRate.txt and _Vents, _Morphology, _Thickness,
// _Temperature, _SolidifiedLavaThickness and, where it is known, _RealEvent.asc, which geographic
// information systems open and read_event() reads. Makes the folder. `event` gives everything but
// the rasters; its parameters are those of the form `numbered`, and others. Throws
// Error(unavailable) where a file cannot be written.
void save_results(const std::filesystem::path& folder, const Event& event, const Rasters& rasters,
                  std::int64_t step);

// Throws Error where save_results() could not make the folder or write in it. Leaves no
// trace.
void check_results_folder(const std::filesystem::path& folder);

}  // namespace camber::lava
