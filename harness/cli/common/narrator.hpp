// Session observer that prints progress and messages, and the trace file that stores recorded
// timelines.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/timeline.hpp"
#include "harness/cli/common/case_text.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/measure/session.hpp"

namespace camber {

// The file that --trace names.
class TraceFile {
  public:
    // Checks that it can be written. Throws as AtomicFile does.
    explicit TraceFile(const std::string& path);

    // Stores it beside the others, or in the place of an earlier one of that name.
    void add(const Timeline& timeline);
    const std::vector<Timeline>& timelines() const { return timelines_; }

    // What the timelines come to, and where they are. `timed`: their times mean something.
    std::string summary(bool timed) const;

  private:
    std::string path_;
    AtomicFile file_;
    std::vector<Timeline> timelines_;
};

// Shows the progress of a session, and prints the sentences that it gives rise to.
class Narrator : public SessionObserver {
  public:
    // All outlive it. `trace`: takes the timelines; nullptr: nothing does.
    Narrator(const Study& study, Progress& progress, TraceFile* trace = nullptr)
        : study_(study), progress_(progress), trace_(trace) {}

    void preparing(std::string_view what) override {
        progress_.show(0, static_cast<int>(study_.variants.size()), what);
    }
    void starting(const Case& chosen, int done, int total) override {
        progress_.show(done, total, case_name(study_, chosen));
    }
    void measured(const CaseResult& result) override {
        if (trace_ && result.timeline) trace_->add(*result.timeline);
        if (const std::string row = row_of(result.record); !row.empty()) progress_.line(row);
    }
    void counting(const CaseResult& result, int done, int total) override {
        progress_.show(done, total, result.record.name + ", counters");
    }
    void counted(const CaseResult& result) override {
        for (const std::string& sentence : result.differences) {
            progress_.clear();
            fmt::print(stderr, "camber: {}\n", sentence);
        }
    }
    void overdue(const std::string& sentence) override {
        progress_.clear();
        say_overdue(sentence);
    }
    void device_lost(const std::string& sentence) override {
        progress_.clear();
        say_device_lost(sentence);
    }

  private:
    const Study& study_;
    Progress& progress_;
    TraceFile* trace_;
};

}  // namespace camber
