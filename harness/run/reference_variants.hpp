// The `cpu` backend: every workload's plain reference as variants, serial and on all CPU threads.
#pragma once

#include "harness/registry/registry.hpp"

namespace camber {

// Adds `<workload>/reference/serial` and `<workload>/reference/threads` for every workload and cell
// type.
void add_reference_variants(Registry& registry);

}  // namespace camber
