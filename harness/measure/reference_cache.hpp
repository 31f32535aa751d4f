// Cache of reference results of long runs, with the ledger that accounts for the workload's
// conserved quantity generation by generation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/record/context.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Where the conserved quantity of a workload went, generation by generation.

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

// What the plain reference of a long run came to, kept for the next run from the same start.
struct KeptReference {
    State state;
    std::vector<Ledger::Row> rows;
};

// One reference: that of these generations from this start.
class ReferenceCache {
  public:
    // `program`: tells builds of the reference apart; "": nothing is kept.
    ReferenceCache(CacheFolder folder, std::string_view program, const Workload& workload,
                   const State& start, const GenerationContext& context, int generations);

    // Nothing where no such reference was kept, or its file is damaged.
    std::optional<KeptReference> read() const;
    // To the last bit. Too large a state is not kept; the oldest references make way.
    void write(const State& state, const std::vector<Ledger::Row>& rows) const;

  private:
    CacheFolder folder_;
    struct Form {
        std::string name;
        ElementType element;
        Size size;
    };
    std::vector<Form> fields_;  // of the state
    std::string key_;           // all that the reference depends on; "": nothing is kept
    std::string name_;
};

// The linker's mark of the program that has the reference; "" where it left none.
std::string program_mark();

// Whether computing it takes longer than finding it: of flows of lava over many steps.
bool is_worth_keeping(const Workload& workload, Size size, int generations);

}  // namespace camber
