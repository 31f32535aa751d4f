// Options of `camber scale`, and the results file of a series that is measured point by point.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/scaling/series.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Options of `camber scale`.

// Differs from the default file of camber run, so that neither command replaces the other's file.
inline constexpr const char* default_scaling = "camber-scaling.json";

struct ScaleOptions {
    RunOptions run;
    std::string over;   // sms, threads, gpus or ranks
    std::string units;  // "": the usual ones
    std::string mode = "strong";
    std::string launcher;           // of ranks; "": the usual one
    std::vector<std::string> from;  // results files to read instead of measuring
};

// Results file of a series that is measured point by point.
class SeriesFile {
  public:
    // Opens the results file, with the results of an earlier command if it is to be resumed.
    // `device`: nullopt on the host. Throws Error if the file cannot be written or resumed.
    SeriesFile(const RunOptions& options, const CommandLine& command_line,
               const std::optional<DeviceInfo>& device);

    const std::string& path() const { return path_; }
    results::ResultsFile& results() { return results_; }
    const results::Document& document() const { return results_.document(); }
    // True if nothing was left to measure.
    bool was_whole() const { return was_whole_; }

    // Results with merged repetitions. Throws Stopped if there are none.
    results::Document measured() const;
    // Prints and stores the analysis of the times.
    void conclude(const results::Document& measured, scaling::Mode mode);
    // Prints the location of the results. Returns the exit code.
    int close(const results::Document& measured) const;

  private:
    std::string path_;
    results::ResultsFile results_;
    bool was_whole_ = false;
};

// Scaling series over ranks; a launcher such as mpirun starts a run for each point.

// Returns the exit code of the command.
int scale_over_ranks(ScaleOptions options, const CommandLine& command_line);

}  // namespace camber
