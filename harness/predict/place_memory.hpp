// Whose memory an address is of, where several places divide a board.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "harness/machine/queue/queue.hpp"
#include "harness/registry/division.hpp"

namespace camber {

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

}  // namespace camber
