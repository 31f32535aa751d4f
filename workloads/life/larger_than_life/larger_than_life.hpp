// Workload `larger_than_life`: the Game of Life with a neighborhood of any size, on byte or bit
// cells.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_larger_than_life();

}  // namespace camber
