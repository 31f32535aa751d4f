// Timelines as a file of trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
//
// A place of a timeline is a process there, a lane a thread. Spans are complete events ("X", in
// microseconds); arrows lead from a call of the host to the work that it gave a place. Every
// timeline begins at 0, so that cases stand below each other.
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
