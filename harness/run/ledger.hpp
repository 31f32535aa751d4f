// Where the conserved quantity of a workload went, generation by generation.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workloads/workload.hpp"

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

    // A list of rows in order, each an object: "generation", the workload's quantity ("mass") at
    // that time, since the row before it the amount of every entry, and "unaccounted": by how much
    // the quantity differs from the last row's plus and minus the entries, which is rounding. Null
    // for a workload that keeps no account.
    nlohmann::ordered_json to_json() const;

  private:
    struct Row {
        int generation;
        FinalState state;
    };
    const Workload& workload_;
    int generations_;
    int interval_;
    std::vector<Row> rows_;
};

}  // namespace camber
