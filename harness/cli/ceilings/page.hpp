// A device's limits as a page: a table, and bandwidths over the working set as a plot.
#pragma once

#include <cstdint>
#include <string>

#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// How many rows the table has, and how many where everything was measured.
struct CeilingRows {
    std::int64_t measured = 0;
    std::int64_t all = 0;
};

CeilingRows ceiling_rows(const Ceilings& ceilings);

// Leaves out what was not measured.
std::string ceilings_page(const Ceilings& ceilings, const DeviceInfo& device);

}  // namespace camber
