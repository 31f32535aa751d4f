#include "workloads/core/terrain_workload.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"

namespace camber {

AsciiGrid read_terrain(const InitialConditions& conditions) {
    const std::string file = conditions.input->string();
    if (conditions.input_at)
        throw Error(ExitCode::usage, fmt::format("the terrain {} fills the board", file),
                    Remedy::no_position);
    AsciiGrid grid = read_ascii_grid_file(*conditions.input);
    const Size size = grid.header.size;
    if (size != conditions.size)
        throw Error(
            ExitCode::usage,
            fmt::format("the terrain {} has {}x{} cells, the board {}x{}", file, size.columns,
                        size.rows, conditions.size.columns, conditions.size.rows),
            Remedy::board_of_input);
    constexpr double highest = 1e6;  // m; walls and cells without data have altitude 1e30
    for (std::size_t i = 0; i < grid.values.size(); ++i)
        if (grid.has_data(i) && !(std::abs(grid.values[i]) <= highest))
            throw Error(
                ExitCode::usage,
                fmt::format("the terrain {} has altitude {} in row {}, column {}: altitudes "
                            "lie within {} m; mark cells without data by NODATA_value",
                            file, grid.values[i], i / size.columns, i % size.columns, highest));
    return grid;
}

}  // namespace camber
