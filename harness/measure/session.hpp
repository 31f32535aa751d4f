// One measurement from a study to its results: the one place where runner, instruments, limits and
// static facts are put together.
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
    // All is timed: `done` of `total` readings of counters are done, and this case's is next.
    virtual void counting(const CaseResult& /*result*/, int /*done*/, int /*total*/) {}
    // All that is known of it is stored.
    virtual void counted(const CaseResult& /*result*/) {}
    // The device has been busy for longer than the study allows, with the case that the sentence
    // names. All that was measured is stored; the process ends when this returns, which another
    // thread calls than the session's.
    virtual void overdue(const std::string& /*sentence*/) {}
    // A kernel crashed on the device, which the sentence tells. All that was measured is stored;
    // the process ends when this returns.
    virtual void device_lost(const std::string& /*sentence*/) {}
};

class Session {
  public:
    // Opens the machine and the instruments, computes the reference and meanwhile measures the
    // device's limits; or takes those that are `known`, or that an earlier run kept. `study` and
    // `observer` outlive the session. `seconds_before`: what the program took until here, of which
    // the results tell. Throws Error where the machine or the study's state cannot be had, and
    // where a partition of the device is another than asked for.
    Session(const Study& study, SessionObserver& observer,
            std::optional<Ceilings> known = std::nullopt, double seconds_before = 0);

    // Measures all cases, `repetitions` times each, as the engine was configured. Every measurement
    // is stored as soon as it is there, joined to what `results` has of its case. The first one
    // stores the context too, with the command line. The document is marked as incomplete until all
    // is measured, which includes `more` cases that later sessions will add. Returns early where
    // work is to stop (harness/base/process.hpp). Visits of cases that `results` has already,
    // as of a run that is gone on with, are not made again.
    void run(results::ResultsFile& results, const std::vector<std::string>& command,
             int repetitions = 1, int more = 0);

    const CaseRunner& runner() const { return runner_; }
    const Ceilings& ceilings() const { return ceilings_; }
    // What could not be measured, and why.
    const std::map<std::string, std::string>& failures() const {
        return runner_.instrument_failures();
    }

  private:
    // The one that is measured or counted.
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
    // Of kernels whose instructions were not known when their cases were measured.
    void add_missing_instructions(results::Document& document);
    void check_partition(CaseRunner& runner);
    void tell_time(results::Document& document);
    void count(results::ResultsFile& results, LastCase& last, bool more_to_time);
    // Ends the process after a case whose kernel crashed on the device.
    [[noreturn]] void end_without_device(const results::CaseRecord& record) const;
    // The device does not come back.
    [[noreturn]] void end(const LastCase& last,
                          const std::function<void(const CaseResult&)>& store) const;

    const Study& study_;
    SessionObserver& observer_;
    std::optional<DeviceInfo> device_;
    Ceilings ceilings_;
    std::optional<KernelCode> code_;
    std::map<std::string, const void*> unknown_;    // kernels: where they lie, by symbol
    const void* some_kernel_ = nullptr;             // where one of the workload lies
    std::optional<results::WallTime> wall_before_;  // what the document has from other sessions
    double seconds_before_;
    int process_;  // the number of this one among those that measured the cases
    CaseRunner runner_;
};

// The study's device; nullopt on the host's backends.
std::optional<DeviceInfo> device_of(const Study& study);

}  // namespace camber
