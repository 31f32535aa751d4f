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

// The options of `camber scale` as typed.

// Not that of camber run, so that neither replaces the other's file.
inline constexpr const char* default_scaling = "camber-scaling.json";

struct ScaleOptions {
    RunOptions run;
    std::string over;   // sms, threads, gpus or ranks
    std::string units;  // "": the usual ones
    std::string mode = "strong";
    std::string launcher;           // of ranks; "": the usual one
    std::vector<std::string> from;  // results files to read again, instead of measuring
};

// The results file of a series that is measured point by point.
class SeriesFile {
  public:
    // With what an earlier command left there, where it is to be gone on with. `device`: nothing
    // on the host. Throws Error where the file cannot be written, or gone on with.
    SeriesFile(const RunOptions& options, const CommandLine& command_line,
               const std::optional<DeviceInfo>& device);

    const std::string& path() const { return path_; }
    results::ResultsFile& results() { return results_; }
    const results::Document& document() const { return results_.document(); }
    // Whether nothing was left to measure.
    bool was_whole() const { return was_whole_; }

    // What was measured, the repetitions of a case as one. Throws Stopped where that is nothing.
    results::Document measured() const;
    // Prints what the times say of the series, and stores it.
    void conclude(const results::Document& measured, scaling::Mode mode);
    // Says where the results are. Returns the exit code.
    int close(const results::Document& measured) const;

  private:
    std::string path_;
    results::ResultsFile results_;
    bool was_whole_ = false;
};

}  // namespace camber
