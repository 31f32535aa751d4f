// Resumes runs from saved states.
#pragma once

#include <string>

#include "workloads/saved_state.hpp"
#include "workloads/workload.hpp"

namespace camber {

// The head of the state that these conditions go on from; nothing where the input has none, where
// that is of another workload, and where the conditions change the ground (tiles, added lava,
// refinement): a run then starts anew from what lies beside the state.
std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions);

// Saved state, converted to conditions.cell unless `exact`. Throws Error(usage) if it is damaged or
// has another size or cell type.
std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 bool exact = false);

// The workload's parameters with those of the state.
void take_parameters(const SavedHead& head, ParameterSet& parameters);

// Writes the state beside `path`, or into it where it is a folder, as what `run` came to.
// `parameters`: of a run that goes on from here.
void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters);

}  // namespace camber
