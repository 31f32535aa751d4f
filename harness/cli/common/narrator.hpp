// Shows the progress of a session, and prints the sentences that it gives rise to.
#pragma once

#include <fmt/format.h>

#include "harness/cli/common/measured_row.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/run/session.hpp"

namespace camber {

class Narrator : public SessionObserver {
  public:
    // Both outlive it.
    Narrator(const Study& study, Progress& progress) : study_(study), progress_(progress) {}

    void preparing(std::string_view what) override {
        progress_.show(0, static_cast<int>(study_.variants.size()), what);
    }
    void starting(const Case& chosen, int done, int total) override {
        progress_.show(done, total, case_name(study_, chosen));
    }
    void measured(const CaseResult& result) override {
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

  private:
    const Study& study_;
    Progress& progress_;
};

}  // namespace camber
