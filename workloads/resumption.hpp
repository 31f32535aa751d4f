// Resumes runs from saved states.
#pragma once

#include <string>

#include "workloads/saved_state.hpp"
#include "workloads/workload.hpp"

namespace camber {

// Head of the state that these conditions resume from; nullopt if the input has none, if it belongs
// to another workload, or if the conditions change the ground (tiles, added lava, refinement): the
// run then starts from the rasters beside the state.
std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions);

// That state, in the type of conditions.cell. Throws Error(usage) where it is damaged, has another
// size or another type of cells. `exact`: in the type that it was saved in.
std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 bool exact = false);

// The workload's parameters with those of the state.
void take_parameters(const SavedHead& head, ParameterSet& parameters);

// Writes the state beside `path`, or into it if it is a folder, as the result of `run`.
// `parameters`: of a run that resumes from here.
void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters);

}  // namespace camber
