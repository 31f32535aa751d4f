#include "harness/cli/reproduce/measuring.hpp"

#include <algorithm>

#include "analysis/published/ratios.hpp"

namespace camber {

RunOptions options_of(const published::Table& table, const std::string& cell) {
    const published::TableHere& here = table.here;
    RunOptions run;
    run.workload = here.workload;
    run.size = here.size;
    run.cell = cell;
    run.generations = here.generations;
    run.from_start = here.from_start;
    run.density = here.density;
    run.parameters = here.parameters;
    run.variants = published::variants_of(table);
    return run;
}

std::vector<std::string> cells_of(const published::Table& table) {
    std::vector<std::string> cells;
    const auto add = [&](const std::string& cell) {
        if (!cell.empty() && std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    };
    add(table.here.cell);
    for (const published::Column& column : table.columns) add(column.here.cell);
    return cells.empty() ? std::vector<std::string>{""} : cells;
}

}  // namespace camber
