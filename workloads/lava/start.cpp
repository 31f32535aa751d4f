#include "workloads/lava/start.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "workloads/lava/tiles.hpp"
#include "workloads/lava/volcano.hpp"

namespace camber::lava {

Event event_of(const InitialConditions& conditions) {
    if (conditions.ground == Ground::plane)
        return plane(conditions.size, conditions.seed, conditions.density);
    if (!conditions.input) return volcano(conditions.size, conditions.seed, conditions.density);
    const std::string folder = conditions.input->string();
    if (conditions.input_at)
        throw Error(ExitCode::usage, fmt::format("the eruption {} fills the board", folder),
                    Remedy::no_position);
    const Size tiles = conditions.tiles;
    Event event = tiled(refined(read_event(*conditions.input), conditions.refinement), tiles);
    const Size size = event.map.size;
    if (size != conditions.size)
        throw Error(ExitCode::usage,
                    fmt::format("the eruption {} has {}x{} cells{}, the board {}x{}", folder,
                                size.columns, size.rows,
                                tiles == Size{1, 1}
                                    ? ""
                                    : fmt::format(" in {}x{} tiles", tiles.columns, tiles.rows),
                                conditions.size.columns, conditions.size.rows),
                    Remedy::board_of_input);
    if (conditions.added_density > 0) add_lava(event, conditions.seed, conditions.added_density);
    return event;
}

}  // namespace camber::lava
