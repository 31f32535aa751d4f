// Options that workloads declare (WorkloadFacts::options), on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/core/workload.hpp"

namespace CLI {
class App;
}

namespace camber {

// Value of --workload on a command line that is not parsed yet; `usual` if it has none.
std::string named_workload(const std::vector<std::string>& command_line, std::string_view usual);

// Adds the options of `workload` to `command`, in a group of their own. Parsing stores the given
// values in `values`, and throws Error(usage) for values that the workload does not accept.
void add_workload_options(CLI::App& command, const Workload& workload, OptionValues& values);

// Throws Error(usage) if the workload lacks one of these options, or does not accept its value.
void check_workload_options(const Workload& workload, const OptionValues& values);

// Sentence for the first of `arguments` that is an option of other workloads than `workload`; ""
// if there is none, or if the workload is unknown.
std::string option_of_others(const std::vector<std::string>& arguments, std::string_view workload);

}  // namespace camber
