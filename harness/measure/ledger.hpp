// Where the conserved quantity of a workload went, generation by generation.
#pragma once

#include <utility>
#include <vector>

#include "harness/record/context.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Follows the reference through its generations. All amounts are in the unit of the workload's
// final amount.
class Ledger {
  public:
    // Takes a row at the start, after the last of `generations`, and in between at most `rows`
    // times, evenly spread.
    Ledger(const Workload& workload, int generations, int rows = 64);

    // Call it with every state, the initial one included.
    void enter(int generations, const State& state);

    // In order; what is unaccounted is by how much the quantity differs from the last row's plus
    // and minus the entries. Empty for a workload that keeps no account.
    std::vector<results::AccountRow> rows() const;

    struct Row {
        int generation = 0;
        FinalState state = {};
    };
    // What was entered, to go on with elsewhere.
    const std::vector<Row>& entered() const { return rows_; }
    void take(std::vector<Row> entered) { rows_ = std::move(entered); }

  private:
    const Workload& workload_;
    int generations_;
    int interval_;
    std::vector<Row> rows_;
};

}  // namespace camber
