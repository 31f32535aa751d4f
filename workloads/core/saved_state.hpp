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

// Head of a file with the exact state of a run, from which a later run resumes. The file is stored
// beside the rasters for geographic information systems. It has a text head, followed by the bytes
// of one field after the other.
struct SavedHead {
    std::string workload;
    ElementType cell = ElementType::float32;  // of fields that have the run's cell type
    std::int64_t generations = 0;             // since the start
    // Parameters of a run that resumes from this state.
    std::map<std::string, std::vector<double>, std::less<>> parameters;
    std::string file = {};  // path the state was read from
    // Further facts about the run, a word or a line each; only files of format 2 have them.
    std::map<std::string, std::string, std::less<>> origin = {};
};

struct SavedState {
    SavedHead head;
    State state;
};

// Path of the saved state that belongs to `input`: "NAME.state" for a file NAME, "camber.state" in
// a folder, or a file beside the configuration of an eruption.
std::filesystem::path state_path(const std::filesystem::path& input);

// Writes a saved state. Throws Error(unavailable) if the file cannot be written.
void write_saved_state(const std::filesystem::path& path, const SavedHead& head,
                       const State& state);

// Error for a saved state that cannot be used; `how` is the reason, with the line number.
Error damaged_state(const std::string& file, const std::string& how);

// State that was saved with this input; nullopt if there is no such file. Throws Error(usage) for a
// damaged file: a line that is unknown, repeated or malformed, a missing mandatory line, or cells
// that do not fit the head. Accounts and fields depend on the workload: saved_state() checks them.
std::optional<SavedState> read_saved_state(const std::filesystem::path& input);
// Reads only the head; the cells may be damaged.
std::optional<SavedHead> read_saved_head(const std::filesystem::path& input);

// Resumes runs from saved states.

// Head of the state that these conditions resume from; nullopt if the input has none, if it belongs
// to another workload, or if the conditions change the input: the run then starts from the files
// beside the state.
std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions);

// Returns a state of the workload on some board, whose real fields have type `cell`.
using ExampleState = std::function<State(ElementType cell)>;

// State to resume from, converted to conditions.cell or, if `exact`, in the type in which it was
// saved; nullopt if saved_head() is. Throws Error(usage) if the file is damaged, has another size
// or cell type, or lacks a field or account entry of the example: without these, the run could not
// be continued bit by bit.
std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 const ExampleState& example, bool exact = false);

// Replaces the workload's parameters by those of the saved state. Throws Error(usage) if the state
// lacks a parameter, or has one that is unknown or has another length. `check` throws Error for
// invalid values; the message then names the file.
using CheckParameters = std::function<void(const ParameterSet& parameters)>;
void take_parameters(const SavedHead& head, ParameterSet& parameters, const CheckParameters& check);

// Writes the state beside `path`, or into it if it is a folder, as the result of `run`.
// `parameters` are those of a run that resumes from the state.
void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters);

}  // namespace camber
