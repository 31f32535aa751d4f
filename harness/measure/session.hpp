// Session: one measurement from a study to its results. It combines the runner, instruments,
// ceilings and static facts.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/sass/kernel_code.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Receives progress events of a session.
class SessionObserver {
  public:
    virtual ~SessionObserver() = default;
    // A preparation step before the first case has started, such as "computing the reference".
    virtual void preparing(std::string_view /*what*/) {}
    // `done` of `total` measurements are complete, and `chosen` is next.
    virtual void starting(const Case& /*chosen*/, int /*done*/, int /*total*/) {}
    // The result is stored in the results file.
    virtual void measured(const CaseResult& /*result*/) {}
    // All cases are timed; `done` of `total` counter readings are complete, and the case in
    // `result` is next.
    virtual void counting(const CaseResult& /*result*/, int /*done*/, int /*total*/) {}
    // All facts about the case are stored in the results file.
    virtual void counted(const CaseResult& /*result*/) {}
    // The device has been busy for longer than the study permits with the case that `sentence`
    // names. All results so far are stored. Called by another thread than the session's; the
    // process ends when this function returns.
    virtual void overdue(const std::string& /*sentence*/) {}
    // A kernel crashed on the device, as `sentence` reports. All results so far are stored; the
    // process ends when this function returns.
    virtual void device_lost(const std::string& /*sentence*/) {}
};

class Session {
  public:
    // Opens the device and the instruments and computes the reference. Meanwhile it measures the
    // device's ceilings, or uses `known` or cached ones. `study` and `observer` must outlive the
    // session. `seconds_before`: time that the program took before the session, which the results
    // include. Throws Error if the device or the study's state is unavailable, and if a partition
    // of the device differs from the requested one.
    Session(const Study& study, SessionObserver& observer,
            std::optional<Ceilings> known = std::nullopt, double seconds_before = 0);

    // Measures all cases, `repetitions` times each, as the engine is configured. Every measurement
    // is stored immediately and merged with the results of its case in `results`. The first one
    // also stores the context, with the command line. The document is marked as incomplete until
    // everything is measured, including `more` cases that later sessions will add. Returns early if
    // the process is to end (harness/base/process.hpp). Visits that `results` already contains, as
    // in a resumed run, are not repeated.
    void run(results::ResultsFile& results, const std::vector<std::string>& command,
             int repetitions = 1, int more = 0);

    const CaseRunner& runner() const { return runner_; }
    const Ceilings& ceilings() const { return ceilings_; }
    // Quantities that could not be measured, with the reason.
    const std::map<std::string, std::string>& failures() const {
        return runner_.instrument_failures();
    }

  private:
    // The case that is being measured or counted.
    struct LastCase {
        std::mutex mutex;
        std::optional<Case> chosen;
        void is(const Case& now) {
            const std::lock_guard lock(mutex);
            chosen = now;
        }
    };

    void prepare(CaseRunner& runner, std::optional<Ceilings> known);
    results::Context context(const std::vector<std::string>& command) const;
    void complete(CaseResult& result, int round);
    void add_instructions(CaseResult& result);
    // Adds the instruction mixes that were unavailable when their cases were measured.
    void add_missing_instructions(results::Document& document);
    void check_partition(CaseRunner& runner);
    void tell_time(results::Document& document);
    void count(results::ResultsFile& results, LastCase& last, bool more_to_time);
    // Ends the process after a case whose kernel crashed on the device.
    [[noreturn]] void end_without_device(const results::CaseRecord& record) const;
    // Ends the process because the device does not respond.
    [[noreturn]] void end(const LastCase& last,
                          const std::function<void(const CaseResult&)>& store) const;

    const Study& study_;
    SessionObserver& observer_;
    std::optional<DeviceInfo> device_;
    Ceilings ceilings_;
    std::optional<KernelCode> code_;
    std::map<std::string, const void*> unknown_;    // kernel addresses by symbol
    const void* some_kernel_ = nullptr;             // address of any kernel of the workload
    std::optional<results::WallTime> wall_before_;  // wall time of other sessions in the document
    double seconds_before_;
    int process_;  // index of this process among those that measured the cases
    CaseRunner runner_;
};

// The study's device; nullopt on the host's backends.
std::optional<DeviceInfo> device_of(const Study& study);

}  // namespace camber
