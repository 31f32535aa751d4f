// Workloads `extrema`, with three layers, and `extrema_stack`, with six.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

inline constexpr int stack_layers = 6;

std::unique_ptr<Workload> make_extrema();
std::unique_ptr<Workload> make_extrema_stack();

}  // namespace camber
