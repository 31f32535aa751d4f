// Sentences about results that differ and parameters that do not fit.
#pragma once

#include <string>
#include <vector>

#include "harness/capture/replay/worker_job.hpp"

namespace camber {

// "12 bytes differ, first in buffer 3 at byte 16: 0.5 instead of 0.25". `elements`: types of
// `parts`.
std::string difference_text(const capture::Difference& difference,
                            const std::vector<capture::Part>& parts,
                            const std::vector<capture::Element>& elements);

// "8, 8, 4 bytes"
std::string layout_text(const std::vector<capture::Parameter>& parameters);

}  // namespace camber
