#include "workloads/core/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace camber {

bool Workload::writes(std::string_view field) const {
    return std::ranges::find(facts_.written_fields, field) != facts_.written_fields.end();
}

const WorkloadOption* Workload::option(std::string_view option_name) const {
    const auto found = std::ranges::find(facts_.options, option_name, &WorkloadOption::name);
    return found == facts_.options.end() ? nullptr : &*found;
}

double Workload::added_density(const InitialConditions& conditions) const {
    const bool adds = conditions.input && !facts_.added_by_density.empty();
    return adds ? conditions.density.value_or(0) : 0;
}

bool Workload::changes_input(const InitialConditions& conditions) const {
    return conditions.input &&
           (added_density(conditions) > 0 ||
            std::ranges::any_of(facts_.options, [&](const WorkloadOption& one) {
                return one.changes_input &&
                       text_value(conditions.options, one.name, one.usual) != one.usual;
            }));
}

InitialConditions Workload::generated(InitialConditions conditions, Size board) const {
    conditions.size = board;
    conditions.input.reset();
    conditions.input_at.reset();
    for (const WorkloadOption& one : facts_.options)
        if (one.changes_input) conditions.options.erase(std::string(one.name));
    return conditions;
}

std::string Workload::describe_start(const InitialConditions& conditions,
                                     const ParameterSet& /*parameters*/) const {
    if (!conditions.input)
        return fmt::format("random, seed {}, density {}", conditions.seed,
                           conditions.density.value_or(usual_density));
    // Also the last name of a path that ends in a slash.
    return (*conditions.input / "").parent_path().filename().string() + input_note(conditions);
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
