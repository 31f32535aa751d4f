// Search of `camber try --sweep`, which builds every combination of a kernel's settings, leaves out
// dominated ones, and times the rest; and the entry point of `camber try --watch`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/time/ranking.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Which combinations of a sweep are not worth running, by the model.

// A combination that was built.
struct SweepPoint {
    CandidatePoint from;
    std::string name;                // of the variant
    std::optional<double> moved;     // bytes of a generation, by the model
    std::optional<double> bound_ns;  // of a generation, at the device's limits
    std::optional<Outlook> outlook;  // its predicted time, with the machine code that was found
};

// Models all points of the study, on a device where one is known. Why no times are predicted, a
// phrase: "" where they are.
std::string model_points(std::vector<SweepPoint>& points, const Study& study,
                         const std::optional<ModelDevice>& device);

// Notes in the study which of the points are hopeless: by their predicted times where
// `why_no_times` is empty, and else by the bounds. `failed`: those that turned out to be wrong,
// with which nothing is compared. What is to be told of it, a line; "" where nothing is known of
// the device.
std::string leave_out_hopeless(Study& study, const std::vector<SweepPoint>& points,
                               const std::string& why_no_times,
                               const std::vector<std::string>& failed);

// The point by which the others were judged; nullptr: none.
const SweepPoint* judge_of(const std::vector<SweepPoint>& points, const std::string& why_no_times,
                           const std::vector<std::string>& failed);

// `camber try --sweep`: every combination of a kernel's settings, and the best of them.

// Where a search's results go that --out sends nowhere else.
constexpr const char* default_search_results = "camber-sweep.json";

// Builds every candidate with every combination of run.sweeps, leaves out those that the limits of
// a device show to be hopeless, compares every cell of the others with the reference, times them on
// a GPU, and prints the best with its interval. `ceilings`: the file of a device's limits; "":
// those of the GPU in use, if there is one. Throws Error as the commands do; the exit code.
int run_search(const RunOptions& run, const std::string& ceilings, const CommandLine& command_line);

// `camber try --watch`: measures a kernel again whenever its file is saved.

// Measures the only file of run.candidates now and after every change of it, until a signal ends
// it, and prints the change against the version before. What is wrong with a version is printed,
// and the next one waited for. `reference`: the kernel that defines the workload; "" where the
// program has it. The exit code is that of success. Throws Error(usage) for more than one file.
int run_watch(const RunOptions& run, const std::string& reference);

}  // namespace camber
