// The workload `larger_than_life`: the Game of Life with a neighbourhood of any size, on cells of a
// byte or of a bit.
#pragma once

#include <memory>

#include "workloads/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_larger_than_life();

}  // namespace camber
