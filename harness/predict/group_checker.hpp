// Compares what several places make of a board with what one place makes of it, step after step,
// and what they hold of each other's rows with what their neighbours have.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/predict/finding.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

class GroupChecker {
  public:
    // `whole`: the variant at work in one place on a queue of its own. Both have the initial state.
    // `partition`: what the places of `divided` have of the board.
    GroupChecker(Execution& divided, Execution& whole, const State& initial, Partition partition);

    // After `generations` on both, which have ended.
    void compare(int generations);
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    using Line = std::vector<std::byte>;  // a row of the board, or a column of it
    struct Difference {
        std::string field;
        int row = 0, column = 0;
        std::string value, expected;
        std::int64_t cells = 0;
    };

    void compare_halos(int generations);
    void compare_states(int generations);
    std::vector<Difference> differences(const State& actual, const State& expected) const;
    std::string vent_that_gave_more(const State& actual, const State& expected,
                                    const std::vector<Difference>& differences) const;
    void add(FindingKind kind, std::string sentence);
    int owner_of(int row, int column) const;

    Execution& divided_;
    Execution& whole_;
    Partition partition_;
    State state_;
    State expected_;
    // The lines that were sent the time before, by place, side and field.
    std::map<std::string, std::vector<Line>> sent_before_;
    int before_ = 0;         // generations then
    bool is_stale_ = false;  // no more of what has been found
    bool is_different_ = false;
    std::vector<Finding> findings_;
};

}  // namespace camber
