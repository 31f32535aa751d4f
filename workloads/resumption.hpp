// Runs that go on from where another was saved.
#pragma once

#include <functional>
#include <string>

#include "workloads/saved_state.hpp"
#include "workloads/workload.hpp"

namespace camber {

// The head of the state that these conditions go on from; nothing where the input has none, where
// that is of another workload, and where the conditions change the ground (tiles, added lava,
// refinement): a run then starts anew from what lies beside the state.
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

// Writes the state beside `path`, or into it where it is a folder, as what `run` came to.
// `parameters`: of a run that goes on from here.
void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters);

}  // namespace camber
