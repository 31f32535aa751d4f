#include "workloads/core/board_fields.hpp"

namespace camber {

std::vector<BoardField> board_fields(const Workload& workload, ElementType cell) {
    const auto* const board = workload.capabilities().board_fields;
    return board == nullptr ? std::vector<BoardField>{} : board->fields(cell);
}

RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set) {
    const auto* const board = workload.capabilities().board_fields;
    return board == nullptr ? set.all() : board->numbers(set);
}

}  // namespace camber
