// What kernels of a workload read and write, and the numbers that its rules take: what its rules
// say of themselves, by name, for kernels that know no rules.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "workloads/workload.hpp"

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
    // Of the workload's state on `cell` cells.
    virtual std::vector<BoardField> fields(ElementType cell) const = 0;
    // The parameters of a run, and what the rules make of them: a blur's weights are those of its
    // sigma. Throws Error(usage) for parameters that make no sense.
    virtual RuleNumbers numbers(const ParameterSet& set) const { return set.all(); }

  protected:
    ~HasBoardFields() = default;
};

// As of HasBoardFields; of other workloads no fields, and the parameters as they are.
std::vector<BoardField> board_fields(const Workload& workload, ElementType cell);
RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set);

}  // namespace camber
