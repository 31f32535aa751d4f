// Checks of boards that are divided among several devices: the owner of each address, and a
// comparison with an undivided run after every step.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/registry/division.hpp"
#include "harness/registry/registry.hpp"

namespace camber {

// Whose memory an address is of, where several places divide a board.
struct ExchangeContext;

class PlaceMemory {
  public:
    // `context` outlives this; `state` has the fields' names; `partition`: what the places have.
    PlaceMemory(const ExchangeContext& context, const State& state, Partition partition);

    // A field that kernels use beside those of the state.
    void know(const std::string& field) { fields_.insert(field); }

    struct Cell {
        int place = 0;
        std::string field;
        int row = 0;  // of the board; beyond it where the field has no rows of the board
        int column = 0;
        bool is_own = true;  // of the place, and not its copy of a neighbour's
    };
    // Nothing where it is in no field of a place.
    std::optional<Cell> at(const void* address) const;
    // "row 3, column 5 of field `cells` at place 1", "memory of no field".
    std::string name(const void* address) const;
    // "place 1's queue above", "the host".
    std::string name(const Queue* queue) const;

  private:
    const ExchangeContext& context_;
    Partition partition_;
    std::set<std::string> fields_;
};

// Compares what several places make of a board with what one place makes of it, step after step,
// and what they hold of each other's rows with what their neighbours have.
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
