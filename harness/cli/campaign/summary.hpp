// The summary of a campaign: its results files without the bulk that only profiles need.
#pragma once

#include <filesystem>

namespace camber {

// Writes each results file in `folder` that has cases to `out`, which is created, without machine
// code beyond instruction counts, device states, and the times and counters of single kernels.
// Tables and questions read the same from it. Particle workloads keep their kernels' times and
// counters, which the questions about them need. Returns the number of files.
int write_campaign_summary(const std::filesystem::path& folder, const std::filesystem::path& out);

}  // namespace camber
