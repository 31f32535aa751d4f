#include "workloads/lava/start.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "workloads/lava/volcano.hpp"

namespace camber::lava {

Event event_of(const InitialConditions& conditions) {
    if (!conditions.input) return volcano(conditions.size, conditions.seed, conditions.density);
    const std::string folder = conditions.input->string();
    if (conditions.input_at)
        throw Error(ExitCode::usage,
                    fmt::format("the eruption {} fills the board: leave out --at", folder));
    Event event = read_event(*conditions.input);
    const Size size = event.map.size;
    if (size != conditions.size)
        throw Error(ExitCode::usage,
                    fmt::format("the eruption {} has {}x{} cells, the board {}x{}: leave out "
                                "--size",
                                folder, size.columns, size.rows, conditions.size.columns,
                                conditions.size.rows));
    return event;
}

}  // namespace camber::lava
