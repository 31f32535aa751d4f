// Search of `camber try --sweep`, which builds every combination of a kernel's settings, leaves out
// dominated ones, and times the rest; and the entry point of `camber try --watch`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/time/ranking.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/predicted_times.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// Selection of the combinations of a sweep that are worth running, by the model.

// A combination that was built.
struct SweepPoint {
    CandidatePoint from;
    std::string name;             // name of the variant
    std::optional<double> moved;  // predicted bytes moved per generation
    // Lower bound of the time per generation, from the device's ceilings.
    std::optional<double> bound_ns;
    std::optional<PredictedInterval>
        predicted_interval;  // predicted interval, from the available machine code
};

// Models all points of the study, on a device if one is available. Returns a phrase that says why
// no times are predicted, or "" if they are.
std::string model_points(std::vector<SweepPoint>& points, const Study& study,
                         const std::optional<ModelDevice>& device);

// Marks the dominated points in the study: by predicted times if `why_no_times` is empty, otherwise
// by bounds. `failed`: points that turned out to be wrong, which are not used for comparison.
// Returns a line to print; "" if no device is available.
std::string leave_out_dominated(Study& study, const std::vector<SweepPoint>& points,
                                const std::string& why_no_times,
                                const std::vector<std::string>& failed);

// Point by which the others are judged; nullptr if there is none.
const SweepPoint* judge_of(const std::vector<SweepPoint>& points, const std::string& why_no_times,
                           const std::vector<std::string>& failed);

// `camber try --sweep`: measures the combinations of a kernel's settings and finds the best one.

// Default results file of a search if --out is not given.
constexpr const char* default_search_results = "camber-sweep.json";

// Builds every candidate with every combination of run.sweeps, skips those that are dominated
// according to a device's ceilings, compares every cell of the others with the reference, times
// them on a GPU, and prints the best with its interval. `ceilings`: file with a device's ceilings;
// "": those of the GPU in use, if there is one. Returns the exit code. Throws Error like the other
// commands.
int run_search(const RunOptions& run, const std::string& ceilings, const CommandLine& command_line);

// `camber try --watch`: measures a kernel again whenever its file is saved.

// Measures the only file of run.candidates now and after each of its changes, until a signal ends
// it, and prints the difference to the previous version. Errors in a version are printed, and the
// command waits for the next version. `reference`: kernel that defines the workload; "" for a
// workload of the program. Returns the exit code of success. Throws Error(usage) for more than one
// file.
int run_watch(const RunOptions& run, const std::string& reference);

// After a version that ended its process, a new process calls this first: it waits until the file
// is changed, and complete, before anything reads it. Returns false if a signal ends the wait.
bool wait_after_restart(const std::string& file);

}  // namespace camber
