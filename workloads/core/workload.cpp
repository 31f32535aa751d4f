#include "workloads/core/workload.hpp"

#include <algorithm>
#include <utility>

namespace camber {

bool Workload::writes(std::string_view field) const {
    return std::ranges::find(facts_.written_fields, field) != facts_.written_fields.end();
}

void advance(const Workload& workload, State& state, GenerationContext context, int generations,
             const OnGeneration& on_generation) {
    State other = state;
    for (int g = 0; g < generations; ++g, ++context.number) {
        workload.generation(state, other, context);
        std::swap(state, other);
        if (on_generation) on_generation(g + 1, state);
    }
}

State expected_state(const Workload& workload, const State& initial, ElementType cell,
                     GenerationContext context, int generations,
                     const OnGeneration& on_generation) {
    const ElementType type = workload.reference_type(cell);
    State state = converted(initial, cell, type);
    if (on_generation) on_generation(0, state);
    advance(workload, state, std::move(context), generations, on_generation);
    return type == cell ? state : converted(state, type, cell);
}

}  // namespace camber
