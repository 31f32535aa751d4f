// One part of a campaign in a process of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/common/machine_share.hpp"

namespace camber {

struct PartOutcome {
    double seconds = 0;
    // Why it has no results, or not all, though nobody stopped it; "" where it ended well.
    std::string failure;
};

// How many variants the part leaves out, as "9 of 79"; nothing where it does not say, or not within
// so many seconds.
std::optional<std::string> what_is_left_out(const Part& part, std::optional<double> seconds);

// Measures the part; its results go to NAME.json in the folder, and what it prints to NAME.txt.
// What it says of problems goes to standard error, after the part's name. `goes_on`: with the
// results that are there. `seconds`: after which it ends with what it has. `share`: of the machine.
// A signal to stop is passed on. One that has stored nothing new for a quarter of an hour is
// killed. Throws Error where the folder cannot be written.
PartOutcome measure_part(const Part& part, const std::filesystem::path& folder, bool goes_on,
                         std::optional<double> seconds, const MachineShare& share = {});

}  // namespace camber
