// The eruption that a run of a lava workload starts from.
#pragma once

#include "workloads/lava/event.hpp"
#include "workloads/workload.hpp"

namespace camber::lava {

// That of the input's folder, in tiles and with added lava as asked for, or else the volcano.
// Throws Error(usage) where the conditions ask for another board than the eruption's.
Event event_of(const InitialConditions& conditions);

}  // namespace camber::lava
