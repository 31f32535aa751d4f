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

// Device memory that an address belongs to, for boards divided among several devices.
struct ExchangeContext;

class PlaceMemory {
  public:
    // `context` must outlive this object. `state` names the fields. `partition`: how the board is
    // divided.
    PlaceMemory(const ExchangeContext& context, const State& state, Partition partition);

    // Registers a field that kernels use in addition to those of the state.
    void know(const std::string& field) { fields_.insert(field); }

    struct Cell {
        int place = 0;
        std::string field;
        int row = 0;  // row of the board; out of range if the field is not indexed by board rows
        int column = 0;
        bool is_own = true;  // owned by this device, not a copy of a neighbor's cell
    };
    // Cell at `address`; nullopt if the address belongs to no field of any device.
    std::optional<Cell> at(const void* address) const;
    // Describes an address: "row 3, column 5 of field `cells`, of device 1", "memory outside all
    // fields".
    std::string name(const void* address) const;
    // Describes a queue: "the upper edge queue of device 1", "another queue".
    std::string name(const Queue* queue) const;

  private:
    const ExchangeContext& context_;
    Partition partition_;
    std::set<std::string> fields_;
};

// Compares a board divided among several devices with the same board on one device after every
// step, and each device's halo rows with the rows of its neighbors.
class GroupChecker {
  public:
    // `whole`: the variant on a single device with a queue of its own. Both executions contain the
    // initial state. `partition`: how `divided` divides the board.
    GroupChecker(Execution& divided, Execution& whole, const State& initial, Partition partition);

    // Compares both executions after `generations`; their queues must be synchronized.
    void compare(int generations);
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    using Line = std::vector<std::byte>;  // one row or column of the board
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
    // Lines sent in the previous exchange, by device, side and field.
    std::map<std::string, std::vector<Line>> sent_before_;
    int before_ = 0;         // generation of the previous exchange
    bool is_stale_ = false;  // stale halos were already reported
    bool is_different_ = false;
    std::vector<Finding> findings_;
};

}  // namespace camber
