#include "workloads/resumption.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber {
namespace {

std::string file_of(const InitialConditions& conditions) {
    return state_path(*conditions.input).string();
}

void check(const SavedState& saved, const Workload& workload, const InitialConditions& conditions) {
    const Size size = saved.state.fields.front().size();
    if (size != conditions.size)
        throw Error(
            ExitCode::usage,
            fmt::format("the saved state {} has {}x{} cells, the board {}x{}", file_of(conditions),
                        size.columns, size.rows, conditions.size.columns, conditions.size.rows),
            Remedy::board_of_input);
    const ElementType cell = saved.head.cell;
    if (cell != conditions.cell && cell != workload.reference_type(conditions.cell))
        throw Error(
            ExitCode::usage,
            fmt::format("the saved state {} is of {} cells, the run of {}: choose --cell {}",
                        file_of(conditions), info(cell).name, info(conditions.cell).name,
                        info(cell).name));
}

}  // namespace

std::optional<SavedHead> saved_head(const Workload& workload, const InitialConditions& conditions) {
    if (!conditions.input || conditions.tiles != Size{1, 1} || conditions.added_density > 0 ||
        conditions.refinement > 1)
        return std::nullopt;
    std::optional<SavedHead> head = read_saved_head(*conditions.input);
    if (head && head->workload != workload.name()) head.reset();
    return head;
}

std::optional<State> saved_state(const Workload& workload, const InitialConditions& conditions,
                                 bool exact) {
    if (!saved_head(workload, conditions)) return std::nullopt;
    SavedState saved = *read_saved_state(*conditions.input);
    check(saved, workload, conditions);
    if (exact || saved.head.cell == conditions.cell) return std::move(saved.state);
    return converted(saved.state, saved.head.cell, conditions.cell);
}

void take_parameters(const SavedHead& head, ParameterSet& parameters) {
    for (const auto& [name, values] : head.parameters)
        if (const auto own = parameters.all().find(name);
            own != parameters.all().end() && own->second.size() == values.size())
            parameters.set(name, values);
}

void save_state(const Workload& workload, const State& state, const std::filesystem::path& path,
                const Run& run, const ParameterSet& parameters) {
    const std::optional<SavedHead> before = saved_head(workload, run.initial);
    write_saved_state(state_path(path),
                      {std::string(workload.name()),
                       run.exact ? workload.reference_type(run.initial.cell) : run.initial.cell,
                       (before ? before->generations : 0) + run.generations, parameters.all()},
                      run.exact ? *run.exact : state);
}

}  // namespace camber
