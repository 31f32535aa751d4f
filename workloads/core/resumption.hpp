// Resumes runs from saved states.
#pragma once

#include <functional>
#include <string>

#include "workloads/core/saved_state.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Head of the state that these conditions resume from; nullopt if the input has none, if it belongs
// to another workload, or if the conditions change the ground (tiles, added lava, refinement): the
// run then starts from the rasters beside the state.
std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions);

// A state of the workload on some board, with real fields of the type.
using ExampleState = std::function<State(ElementType cell)>;

// That state, in the type of conditions.cell. Throws Error(usage) where it is damaged, has another
// size or another type of cells, or lacks a field or an account of the example: a state that knows
// less than the run that saved it cannot continue it to the last bit. `exact`: in the type that it
// was saved in.
std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 const ExampleState& example, bool exact = false);

// Replaces the workload's parameters by those of the state. Throws Error(usage) if the state lacks
// one, has an unknown one or one of another length. `check` throws Error for values that no run can
// have; the file is named then.
using CheckParameters = std::function<void(const ParameterSet& parameters)>;
void take_parameters(const SavedHead& head, ParameterSet& parameters, const CheckParameters& check);

// Writes the state beside `path`, or into it if it is a folder, as the result of `run`.
// `parameters`: of a run that resumes from here.
void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters);

}  // namespace camber
