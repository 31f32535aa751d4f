#include "workloads/life/cells.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/base/error.hpp"

namespace camber {

std::optional<std::string> chosen_rule(const InitialConditions& conditions,
                                       const RuleFamily& rules) {
    std::optional<std::string> rule;
    if (conditions.input) rule = read_rle_rule(*conditions.input, rules);
    if (!conditions.rule.empty()) {
        const std::string asked =
            rules.spelled(conditions.rule, fmt::format("rule '{}'", conditions.rule));
        if (rule && *rule != asked)
            throw Error(ExitCode::usage,
                        fmt::format("rule {} is not that of {}, {}: leave it out, or take "
                                    "another file",
                                    asked, conditions.input->string(), *rule));
        rule = asked;
    }
    if (rule == rules.usual) rule.reset();
    return rule;
}

CellPosition place_of(const Pattern& pattern, const InitialConditions& conditions) {
    const Size size = conditions.size;
    const auto [column, row] = conditions.input_at.value_or(
        std::pair((size.columns - pattern.columns) / 2, (size.rows - pattern.rows) / 2));
    // Sums could overflow: the place is whatever was typed.
    if (column < 0 || row < 0 || column > size.columns - pattern.columns ||
        row > size.rows - pattern.rows)
        throw Error(ExitCode::usage,
                    fmt::format("pattern {} of {}x{} cells at {},{} does not fit on a board of "
                                "{}x{}",
                                conditions.input->string(), pattern.columns, pattern.rows, column,
                                row, size.columns, size.rows),
                    Remedy::another_position);
    return {row, column};
}

}  // namespace camber
