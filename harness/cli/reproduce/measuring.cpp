#include "harness/cli/reproduce/measuring.hpp"

#include <algorithm>
#include <functional>

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

std::vector<RunOptions> by_machine(const RunOptions& options) {
    RunOptions on_gpu = options;
    RunOptions on_cpu = options;
    const auto is_reference = [](const std::string& variant) {
        return variant.find("/reference/") != std::string::npos;
    };
    std::erase_if(on_gpu.variants, is_reference);
    std::erase_if(on_cpu.variants, std::not_fn(is_reference));
    on_cpu.backend = "cpu";
    std::vector<RunOptions> runs;
    for (RunOptions* run : {&on_gpu, &on_cpu})
        if (!run->variants.empty()) runs.push_back(std::move(*run));
    return runs;
}

std::vector<std::string> cells_of(const published::Table& table) {
    std::vector<std::string> cells;
    const auto add = [&](const std::string& cell) {
        if (!cell.empty() && std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
    };
    add(table.here.cell);
    for (const published::Column& column : table.columns) add(column.here.cell);
    for (const published::Statement& stated : table.conclusions) {
        add(stated.cell);
        add(stated.than_cell);
    }
    return cells.empty() ? std::vector<std::string>{""} : cells;
}

}  // namespace camber
