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

// What trace_text() made of timelines. Throws Error(usage) where it did not make it.
std::vector<Timeline> timelines_in(const std::string& text);
// The same from a file. Throws Error(usage) for a file that cannot be read or is none of these.
std::vector<Timeline> read_trace(const std::filesystem::path& path);

}  // namespace camber::results
