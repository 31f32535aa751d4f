// Text output of `camber run`, and the names of the files that it writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/results_file.hpp"

namespace camber {

// "64x48"
std::string size_text(const Study& study);

// In one line: the workload on boards of these `sizes`, its start, and where it runs. `device`:
// nothing on the host.
std::string describe_run(const Study& study, const std::string& sizes,
                         const std::optional<DeviceInfo>& device);

std::string results_path(const RunOptions& options);

// Where the final board of this study goes: with several sizes, each has its name in the path,
// "end-64x64.rle".
std::string save_path(const RunOptions& options, const std::vector<Study>& studies,
                      const Study& study);

// Prints the ranked table and the final states. `sort`: sort order of the table. `brief`: without a
// GPU, prints a summary instead of many rows.
void print_results(const std::vector<Study>& studies, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort, bool brief = false);

// True if these options allow a summary, which suggests commands for variants of the program.
bool allows_summary(const RunOptions& options);

// Prints the names of the files written. `saved`: whether final boards are among them.
void print_outputs(const RunOptions& options, const std::vector<Study>& studies,
                   const results::ResultsFile& results, bool saved);

}  // namespace camber
