// Output of a lava workload: the folder of an event at a later step.
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

// Writes PREFIX_NNNNNNNNNNNN.cfg, _EmissionRate.txt and _Vents, _Morphology, _Thickness,
// _Temperature, _SolidifiedLavaThickness and, where it is known, _RealEvent.asc, which geographic
// information systems open and read_event() reads; what more(folder) writes beside them; and
// camber.txt, which has `comment` and the names of the others. `event` gives everything but the
// rasters; its parameters are those of the form `numbered`, and others. All is written beside the
// folder and moved into it at the end; the files of an earlier call make way, whatever else is
// there stays. Throws Error(unavailable) where that fails.
void save_results(const std::filesystem::path& folder, const Event& event, const Rasters& rasters,
                  std::int64_t step, const std::string& comment,
                  const std::function<void(const std::filesystem::path& folder)>& more = {});

// Throws Error where save_results() could not make the folder or write in it, and where it holds
// an eruption that save_results() did not write. Leaves no trace.
void check_results_folder(const std::filesystem::path& folder);

}  // namespace camber::lava
