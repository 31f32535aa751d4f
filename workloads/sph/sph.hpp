// The workload `sph`: water as particles, whose neighbours are found and not given.
#pragma once

#include <memory>

#include "workloads/workload.hpp"

namespace camber {

std::unique_ptr<Workload> make_sph();

}  // namespace camber
