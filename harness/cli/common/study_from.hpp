// The study that typed options mean.
#pragma once

#include "harness/cli/common/run_options.hpp"
#include "harness/run/study.hpp"

namespace camber {

// Throws Error(usage) for what cannot be meant: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

}  // namespace camber
