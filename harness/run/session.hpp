// One measurement from a study to its results: the one place where runner, instruments, limits and
// static facts are put together.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/results_file.hpp"
#include "harness/run/case_runner.hpp"

namespace camber {

// Is told how a session goes on.
class SessionObserver {
  public:
    virtual ~SessionObserver() = default;
    // What comes before the first case: "computing the reference".
    virtual void preparing(std::string_view /*what*/) {}
    // `done` of `total` measurements are done, and this is the next.
    virtual void starting(const Case& /*chosen*/, int /*done*/, int /*total*/) {}
    // It is stored.
    virtual void measured(const CaseResult& /*result*/) {}
};

class Session {
  public:
    // Opens the machine and the instruments, computes the reference and measures the device's
    // limits, or takes those that are `known`. `study` and `observer` outlive the session. Throws
    // Error where the machine or the study's state cannot be had, and where a partition of the
    // device is another than asked for.
    Session(const Study& study, SessionObserver& observer,
            std::optional<Ceilings> known = std::nullopt);

    // Measures all cases, `repetitions` times each, as the engine was configured. Every measurement
    // is stored as soon as it is there, joined to what `results` has of its case. The first one
    // stores the context too, with the command line. The document is marked as incomplete until all
    // is measured, which includes `more` cases that later sessions will add. Returns early after a
    // signal to stop (harness/base/stop_signal.hpp).
    void run(results::ResultsFile& results, const std::vector<std::string>& command,
             int repetitions = 1, int more = 0);

    const CaseRunner& runner() const { return runner_; }
    const Ceilings& ceilings() const { return ceilings_; }
    // What could not be measured, and why.
    const std::map<std::string, std::string>& failures() const {
        return runner_.instrument_failures();
    }

  private:
    results::Context context(const std::vector<std::string>& command) const;
    void complete(CaseResult& result, int round) const;
    void check_partition();

    const Study& study_;
    SessionObserver& observer_;
    std::optional<DeviceInfo> device_;
    CaseRunner runner_;
    Ceilings ceilings_;
};

// The study's device; nullopt on the host's backends.
std::optional<DeviceInfo> device_of(const Study& study);

}  // namespace camber
