#include "workloads/core/optional_interfaces.hpp"

#include "workloads/core/board_fields.hpp"

namespace camber {

State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters) {
    const ParameterStart* own = workload.capabilities().parameter_start;
    return own ? own->initial_for(parameters, conditions) : workload.initial(conditions);
}

std::vector<BoardField> board_fields(const Workload& workload, ElementType cell) {
    const auto* const board = workload.capabilities().board_fields;
    return board == nullptr ? std::vector<BoardField>{} : board->fields(cell);
}

RuleNumbers rule_numbers(const Workload& workload, const ParameterSet& set) {
    const auto* const board = workload.capabilities().board_fields;
    return board == nullptr ? set.all() : board->numbers(set);
}

}  // namespace camber
