// One point of a scaling series: the study on so many units.
#pragma once

#include <optional>
#include <vector>

#include "harness/cli/common/group_options.hpp"
#include "harness/cli/scale/units.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// What the units are taken from.
struct UnitSource {
    std::optional<DeviceInfo> device;  // that multiprocessors are of
    std::vector<int> cores;            // of the CPU
    GroupOptions group;                // how GPUs share a board
    std::vector<int> gpus;             // in the order in which they join
};

// In a weak series the board grows in rows as the units do; particles grow in number. Throws
// Error(usage) where they cannot, and what GroupOptions::choices() throws.
Study study_on(Study study, const Units& units, int count, scaling::Mode mode,
               const UnitSource& from);

}  // namespace camber
