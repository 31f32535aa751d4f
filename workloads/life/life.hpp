// The workload `life`: Conway's Game of Life on cells of 4 bytes, 1 byte or 1 bit.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_life();

}  // namespace camber
