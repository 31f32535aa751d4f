// Partition of a pipeline's board by columns: the counterexample to whole rows, since a few bytes
// of every row travel (Rustico 2012, section 6.1).
//
// A device's fields contain its own columns and copies of those neighbor columns that the
// generations between two exchanges read. Every step computes all of them. The results in the
// neighbor columns are wrong from the outside inwards, by as many columns as a step reads beyond a
// cell; the next exchange corrects them. A part of a field consists of whole rows, so edges cannot
// be computed before the middle, and nothing travels while a device computes.
#pragma once

#include <memory>
#include <vector>

#include "harness/groups/runtime.hpp"

namespace camber {

class ColumnPartition final : public GroupPartition {
  public:
    // Throws Unsupported if the problem cannot be divided this way.
    ColumnPartition(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
                    const Division& division, const Exchange& exchange);

    GroupSchedule schedule() const;
    ExchangeContext context() const override;
    int upload(const State& initial, GroupRuntime& runtime) override;
    void download(State& result) override;
    void pass_through_host() override;
    void poison(int phase, Poison poison) override;
    void complete(int step, int generations) override;

  private:
    struct Columns {
        Columns(const Place& queues, int number) : place(queues, number) {}
        GroupPlace place;  // its rows are columns of the board
        std::vector<std::unique_ptr<RowsStage>> steps = {};
    };

    void refuse(const Problem& problem, const Exchange& exchange) const;
    void lay_out(const Problem& problem, const Division& division);

    Group& group_;
    DividedSteps steps_;
    std::vector<std::unique_ptr<Columns>> columns_;
    bool through_host_;
    State board_;  // the board on its way through the host
};

}  // namespace camber
