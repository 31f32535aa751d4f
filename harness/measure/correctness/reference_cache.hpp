// Cache of reference results of long runs, including the ledger of the workload's conserved
// quantity.
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

// Ledger of a workload's conserved quantity, generation by generation.

// Follows the reference through its generations. All amounts use the unit of the workload's final
// amount.
class Ledger {
  public:
    // Records a row at the start, one after the last of `generations`, and at most `rows` evenly
    // spaced rows in between.
    Ledger(const Workload& workload, int generations, int rows = 64);

    // Must be called with every state, including the initial one.
    void enter(int generations, const State& state);

    // Rows in order. The unaccounted amount is the difference between a row's quantity and the
    // previous row's quantity plus its gains and minus its losses. Empty if the workload has no
    // account.
    std::vector<results::AccountRow> rows() const;

    struct Row {
        int generation = 0;
        FinalState state = {};
    };
    // Recorded rows, for storing and restoring a ledger.
    const std::vector<Row>& entered() const { return rows_; }
    void take(std::vector<Row> entered) { rows_ = std::move(entered); }

  private:
    const Workload& workload_;
    int generations_;
    int interval_;
    std::vector<Row> rows_;
};

// Result of the plain reference of a long run, cached for the next run from the same start.
struct CachedReference {
    State state;
    std::vector<Ledger::Row> rows;
};

// Cache entry of one reference run, identified by its start and its generations.
class ReferenceCache {
  public:
    // `program`: identifies the build of the reference; "" disables the cache.
    ReferenceCache(CacheFolder folder, std::string_view program, const Workload& workload,
                   const State& start, const GenerationContext& context, int generations);

    // nullopt if no such reference is cached, or if its file is damaged.
    std::optional<CachedReference> read() const;
    // Stores the state bit for bit. Too large a state is not stored; the oldest entries are
    // evicted.
    void write(const State& state, const std::vector<Ledger::Row>& rows) const;

  private:
    CacheFolder folder_;
    struct Form {
        std::string name;
        ElementType element;
        Size size;
    };
    std::vector<Form> fields_;  // form of each field of the state
    std::string key_;           // all that the reference depends on; "": nothing is kept
    std::string name_;
};

// Build ID of the program that contains the reference; "" if the linker wrote none.
std::string program_mark();

// True if computing the reference takes longer than reading it from the cache: lava flows over many
// steps.
bool is_worth_keeping(const Workload& workload, Size size, int generations);

}  // namespace camber
