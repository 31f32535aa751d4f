#include "workloads/core/resumption.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"

namespace camber {
namespace {

std::string file_of(const InitialConditions& conditions) {
    return state_path(*conditions.input).string();
}

// The line of a head in words: "field level float32 37 29".
std::string line_of(const HostField& field, Size size) {
    return fmt::format("field {} {} {} {}", field.name(), info(field.element()).name, size.columns,
                       size.rows);
}

void check_form(const SavedState& saved, const State& example, const WorkloadFacts& facts) {
    const auto lacks = [&](const std::string& line) {
        return damaged_state(saved.head.file, fmt::format("its head has no line '{}'", line));
    };
    const Size board = saved.state.fields.front().size();
    const Size board_of_example = example.fields.front().size();
    for (const HostField& wanted : example.fields) {
        const Size size = wanted.size() == board_of_example ? board : wanted.size();
        const auto found = std::ranges::find(saved.state.fields, wanted.name(), &HostField::name);
        if (found == saved.state.fields.end() || found->element() != wanted.element() ||
            found->size() != size)
            throw lacks(line_of(wanted, size));
    }
    for (const HostField& field : saved.state.fields)
        if (!example.has(field.name()))
            throw damaged_state(saved.head.file, fmt::format("workload {} has no field '{}'",
                                                             facts.name, field.name()));
    const auto require_account = [&](const std::string& name) {
        if (!saved.state.account.contains(name)) throw lacks("account " + name);
    };
    for (const auto& [name, unused] : example.account) require_account(name);
    for (const AccountEntry& entry : facts.account) require_account(entry.name);
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
                                 const ExampleState& example, bool exact) {
    if (!saved_head(workload, conditions)) return std::nullopt;
    SavedState saved = *read_saved_state(*conditions.input);
    check(saved, workload, conditions);
    check_form(saved, example(saved.head.cell), workload.facts());
    if (exact || saved.head.cell == conditions.cell) return std::move(saved.state);
    return converted(saved.state, saved.head.cell, conditions.cell);
}

void take_parameters(const SavedHead& head, ParameterSet& parameters,
                     const CheckParameters& check) {
    for (const auto& [name, values] : head.parameters) {
        const auto own = parameters.all().find(name);
        if (own == parameters.all().end())
            throw damaged_state(head.file, fmt::format("the workload has no 'parameter {}'", name));
        if (own->second.size() != values.size())
            throw damaged_state(head.file,
                                fmt::format("its 'parameter {}' has {} values and not {}", name,
                                            values.size(), own->second.size()));
        parameters.set(name, values);
    }
    for (const auto& [name, unused] : parameters.all())
        if (!head.parameters.contains(name))
            throw damaged_state(head.file,
                                fmt::format("its head has no line 'parameter {}'", name));
    try {
        check(parameters);
    } catch (const Error& error) {
        throw damaged_state(head.file, error.what());
    }
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
