// Fields that a workload's kernels read and write, and the numbers that its rules take, by name:
// the rules' own declarations, for kernels that know no rules.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "workloads/core/workload.hpp"

namespace camber {

struct BoardField {
    std::string name;
    ElementType element = ElementType::float32;
    std::array<std::byte, 8> outside{};  // one element: what lies beyond the edge
    bool read = false;                   // by a generation
    bool written = false;
};

using RuleNumbers = std::map<std::string, std::vector<double>, std::less<>>;

// A workload of which a generation takes no more than kernels over a board.
class HasBoardFields {
  public:
    // Fields of the workload's state for `cell` cells.
    virtual std::vector<BoardField> fields(ElementType cell) const = 0;
    // The parameters of a run, and what the rules make of them: a blur's weights are those of its
    // sigma. Throws Error(usage) for parameters that make no sense.
    virtual RuleNumbers numbers(const ParameterSet& set) const { return set.all(); }

  protected:
    ~HasBoardFields() = default;
};

// Same as in HasBoardFields; other workloads have no fields, and unchanged parameters.
std::vector<BoardField> board_fields(const Workload& workload, ElementType cell);
RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set);

}  // namespace camber
