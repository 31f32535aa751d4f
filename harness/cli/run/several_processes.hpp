// `camber run --processes`: the part of the process that starts the others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/results_file.hpp"

namespace camber {

// Of all studies together.
std::int64_t cases_of(const std::vector<Study>& studies);

// Measures all studies in as many processes as were asked for, one after the other, gathers what
// they found, and prints it. Returns the exit code.
int run_processes(const RunOptions& options, const std::vector<Study>& studies,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results);

}  // namespace camber
