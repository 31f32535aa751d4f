// Exact state of a run, in a file beside the rasters for geographic information systems; a later
// run resumes from it. The file has a text header, followed by the bytes of one field after the
// other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/state.hpp"

namespace camber {

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

}  // namespace camber
