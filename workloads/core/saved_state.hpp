// Files with the exact state of a run, and resumption of runs from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Exact state of a run, in a file beside the rasters for geographic information systems; a later
// run resumes from it. The file has a text header, followed by the bytes of one field after the
// other.
struct SavedHead {
    std::string workload;
    ElementType cell = ElementType::float32;  // of the fields that have the run's type
    std::int64_t generations = 0;             // from the start
    // Parameters of a run that is resumed from here.
    std::map<std::string, std::vector<double>, std::less<>> parameters;
    std::string file = {};  // that it was read from
};

struct SavedState {
    SavedHead head;
    State state;
};

// Path of the saved state that belongs to `input`: "NAME.state" for a file NAME, "camber.state" in
// a folder, or a file beside the configuration of an eruption.
std::filesystem::path state_path(const std::filesystem::path& input);

// Throws Error(unavailable) where the file cannot be written.
void write_saved_state(const std::filesystem::path& path, const SavedHead& head,
                       const State& state);

// Error for a saved state that cannot be used: `how` says why, with the number of the line.
Error damaged_state(const std::string& file, const std::string& how);

// The state that was saved with this input; nothing where there is no such file. Throws
// Error(usage) for a file that is damaged: a line that is unknown, repeated or out of form, a
// missing line of those that every state has, or cells that do not fit the head. Accounts and
// fields differ by workload: saved_state() in resumption.hpp checks them.
std::optional<SavedState> read_saved_state(const std::filesystem::path& input);
// Without reading the cells, which may be damaged.
std::optional<SavedHead> read_saved_head(const std::filesystem::path& input);

// Resumes runs from saved states.

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
