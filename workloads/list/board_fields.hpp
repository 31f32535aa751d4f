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

// A workload that says itself what its kernels read and write.
class HasBoardFields {
  public:
    virtual ~HasBoardFields() = default;
    virtual std::vector<BoardField> fields() const = 0;
};

// The fields of the workload's state on `cell` cells; none where its generations take more than
// kernels over a board.
std::vector<BoardField> board_fields(const Workload& workload, ElementType cell);

// The parameters of a run, and what the rules make of them: a blur's weights are those of its
// sigma. Throws Error(usage) for parameters that make no sense.
std::map<std::string, std::vector<double>, std::less<>> rule_numbers(const Workload& workload,
                                                                     const ParameterSet& set);

}  // namespace camber
