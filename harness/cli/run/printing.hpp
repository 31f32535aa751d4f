// What `camber run` tells a person, and how it calls what it writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/results/results_file.hpp"
#include "harness/run/study.hpp"

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

// The ranked table and how the runs ended, from the document that programs read. `sort`: the
// column that orders it.
void print_results(const std::vector<Study>& studies, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort);

// What is said of the files written. `saved`: final boards are among them.
void print_outputs(const RunOptions& options, const std::vector<Study>& studies,
                   const results::ResultsFile& results, bool saved);

}  // namespace camber
