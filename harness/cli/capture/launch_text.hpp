// Texts about a captured launch: its folder, its replay, differing results, memory and times.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/cli/capture/replay_session.hpp"

namespace camber {

// Size of a capture folder: "12.3 MB".
std::string folder_size(const std::filesystem::path& folder);

// "12 bytes differ, first in buffer 3 at byte 16: 0.5 instead of 0.25". `elements`: types of
// `parts`.
std::string difference_text(const capture::Difference& difference,
                            const std::vector<capture::Part>& parts,
                            const std::vector<capture::Element>& elements);

// "8, 8, 4 bytes"
std::string layout_text(const std::vector<capture::Parameter>& parameters);

// "; it lacks the variables a, b"; "" if there are none.
std::string missing_text(const std::vector<std::string>& variables);

// Compares the replay with the program's result.
std::string replay_text(const Studied& studied);

// True if the replay differs although the kernel is deterministic.
bool is_wrong(const capture::WorkerResult& result);

// Table of the parts of memory that the kernel reads or writes.
std::string parts_text(const capture::Capture& capture, const Studied& studied);

// Table of times; bandwidth beside that of a copy, in bytes per second, if it is known; and the
// time in the program.
std::string times_text(const capture::Capture& capture, const Studied& studied,
                       const capture::WorkerResult& timed, const std::optional<double>& copy);

// Table of hardware counters with a row per metric and a column per kernel.
std::string counters_text(const std::vector<capture::CountedKernel>& counted);

}  // namespace camber
