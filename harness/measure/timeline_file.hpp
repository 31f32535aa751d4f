// Trace event files of timelines, which Perfetto (ui.perfetto.dev) and chrome://tracing open. A
// device of the timeline is a process in the file, a lane is a thread, and spans are complete
// events ("X", in microseconds). Arrows lead from a host call to the work that it submitted. Every
// timeline begins at 0, so that viewers show cases below each other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"

namespace camber::results {

std::string trace_text(const std::vector<Timeline>& timelines);

// Parses the output of trace_text(). Throws Error(usage) for any other text.
std::vector<Timeline> timelines_in(const std::string& text);
// Reads timelines from a file. Throws Error(usage) if the file cannot be read or is not a camber
// timeline.
std::vector<Timeline> read_trace(const std::filesystem::path& path);

}  // namespace camber::results
