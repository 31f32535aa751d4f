// The `cpu` backend: every workload's plain reference as variants, serial and on all CPU threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// An execution on the host that knows how long the passes of a generation take.
class TimedPasses {
  public:
    // Of one pass, by name: nanoseconds of each generation, of the first of those since the last
    // call.
    struct Pass {
        std::string name;
        std::vector<double> ns;
    };
    static constexpr std::size_t most_generations = 500;

    virtual ~TimedPasses() = default;
    // In order; none for a generation in one pass.
    virtual std::vector<Pass> take_passes() = 0;
};

// Adds `<workload>/reference/serial` and `<workload>/reference/threads` for every type of its
// cells, and the further forms of its reference, such as `surface_water/reference/five_passes`.
// Does nothing where they are already.
void add_reference_variants(Registry& registry, const Workload& workload);

// The plain reference on a number of CPU threads, with one name for all numbers, for scaling.
Variant reference_variant(const Workload& workload, ElementType cell, int threads);

}  // namespace camber
