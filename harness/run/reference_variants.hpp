// The `cpu` backend: every workload's plain reference as variants, serial and on all CPU threads.
#pragma once

#include "harness/registry/registry.hpp"
#include "workloads/workload.hpp"

namespace camber {

// Adds `<workload>/reference/serial` and `<workload>/reference/threads` for every workload and cell
// type, and `surface_water/reference/five_passes`.
void add_reference_variants(Registry& registry);

// The plain reference on a number of CPU threads, with one name for all numbers, for scaling.
Variant reference_variant(const Workload& workload, ElementType cell, int threads);

}  // namespace camber
