// Eruption from which a run of a lava workload starts.
#pragma once

#include "workloads/core/workload.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {

// Event of the input's folder, tiled and with added lava as requested, or else the volcano. Throws
// Error(usage) if the conditions request another board size than the eruption's.
Event event_of(const InitialConditions& conditions);

}  // namespace camber::lava
