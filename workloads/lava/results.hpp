// Output of a lava workload: an event's folder at a later step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "workloads/lava/event.hpp"

namespace camber::lava {

// Lava on the ground, row by row.
struct Rasters {
    std::span<const double> altitude, thickness, temperature, solidified;
};

// Writes an event's folder: PREFIX_NNNNNNNNNNNN.cfg, _EmissionRate.txt and _Vents, _Morphology,
// _Thickness, _Temperature, _SolidifiedLavaThickness and, if known, _RealEvent.asc, which
// geographic information systems open and read_event() reads; all files that more(folder) writes;
// and camber.txt, which contains `comment` and the other files' names. `event` provides everything
// except the rasters; its parameters must include those of the form `numbered`. All files are
// written beside the folder and moved into it at the end. They replace the files of an earlier
// call; other files stay. Throws Error(unavailable) on failure.
void save_results(const std::filesystem::path& folder, const Event& event, const Rasters& rasters,
                  std::int64_t step, const std::string& comment,
                  const std::function<void(const std::filesystem::path& folder)>& more = {});

// Throws Error if save_results() could not create the folder or write to it, or if the folder
// contains an eruption that save_results() did not write. Leaves no files behind.
void check_results_folder(const std::filesystem::path& folder);

}  // namespace camber::lava
