// What a scaling series counts on this machine, and on how many of it it runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/scaling/series.hpp"
#include "harness/cli/common/group_options.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

// What p counts, and the values of p.
struct Units {
    scaling::Unit unit = scaling::Unit::sm;
    int unit_size = 1;
    std::vector<int> counts;
};

// `asked`: as --units has them, or "" for the usual ones. Throw Error where this machine cannot.
Units sms_of(const std::string& asked, const DeviceInfo& device);
Units threads_of(const std::string& asked, int cores);
Units gpu_units(const std::string& asked, int gpus);
// `here`: how many ranks this machine has something for; further ones may be on other hosts.
Units rank_units(const std::string& asked, int here);
// Throws Error(usage) where they are no series of what `over` says.
void check_series(const Units& units, const std::string& over);

// The devices that a series goes through, in its order.
std::vector<int> gpus_of(const GroupOptions& group, const std::vector<DeviceInfo>& devices);

// Only the reference divides its work among CPU threads. Anything else that is asked for is not
// measured under its name: throws Error(usage).
void require_reference(const RunOptions& options);

}  // namespace camber
