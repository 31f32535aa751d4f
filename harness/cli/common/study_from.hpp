// The study that typed options mean.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/run/study.hpp"

namespace camber {

// Throws Error(usage) for what cannot be meant: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

// The same on every size of a list: "64x64,256x256", or "64x64..512x512", where columns and rows
// double from one size to the next. Throws Error(usage) as above, and for other lists.
std::vector<Study> studies_from(const RunOptions& options);

// The sizes of such a list, each as COLUMNSxROWS; one of "" for "".
std::vector<std::string> sizes_in(const std::string& list);

// COLUMNSxROWS. Throws Error(usage) for anything else, and for what no board can have.
Size parse_size(const std::string& text);

}  // namespace camber
