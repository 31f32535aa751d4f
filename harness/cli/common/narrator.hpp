// Session observer that prints progress and messages, and the trace file that stores recorded
// timelines.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/timeline.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/measure/session.hpp"

namespace camber {

// Trace file that --trace names.
class TraceFile {
  public:
    // Checks that the file can be written. Throws the same errors as AtomicFile.
    explicit TraceFile(const std::string& path);

    // Adds a timeline, or replaces an earlier one of that name, and stores all of them.
    void add(const Timeline& timeline);
    const std::vector<Timeline>& timelines() const { return timelines_; }

    // Summary of the timelines, and the file's path. `timed`: the times are meaningful.
    std::string summary(bool timed) const;

  private:
    std::string path_;
    AtomicFile file_;
    std::vector<Timeline> timelines_;
};

// Shows a session's progress and prints its messages.
class Narrator : public SessionObserver {
  public:
    // All arguments must outlive this object. `trace`: receives the timelines; may be nullptr.
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
