// The study that typed options mean.
#pragma once

#include <string>

#include "harness/cli/common/run_options.hpp"
#include "harness/run/study.hpp"

namespace camber {

// Throws Error(usage) for what cannot be meant: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

// COLUMNSxROWS. Throws Error(usage) for anything else, and for what no board can have.
Size parse_size(const std::string& text);

}  // namespace camber
