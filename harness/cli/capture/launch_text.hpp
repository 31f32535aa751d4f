// Text of `camber try` about a captured launch: its replay, its memory, and times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber {

// A captured launch and what its replay showed.
struct Studied {
    std::size_t index = 0;
    capture::WorkerResult result;
    std::vector<capture::Element> elements;  // of the result's parts
};

// Compares the replay with the program's result.
std::string replay_text(const Studied& studied);

// True if the replay differs although the kernel is deterministic.
bool is_wrong(const capture::WorkerResult& result);

// Table of the parts of memory that the kernel reads or writes.
std::string parts_text(const capture::Capture& capture, const Studied& studied);

// Table of times; bandwidth beside that of a copy, in bytes per second, if it is known; and the time
// in the program.
std::string times_text(const capture::Capture& capture, const Studied& studied,
                       const capture::WorkerResult& timed, const std::optional<double>& copy);

// Table of hardware counters with a row per metric and a column per kernel.
std::string counters_text(const std::vector<capture::CountedKernel>& counted);

}  // namespace camber
