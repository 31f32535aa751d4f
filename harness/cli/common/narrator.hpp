// Shows the progress of a session, and prints the sentences that it gives rise to.
#pragma once

#include <fmt/format.h>

#include "harness/cli/common/measured_row.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/trace_file.hpp"
#include "harness/measure/session.hpp"

namespace camber {

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
