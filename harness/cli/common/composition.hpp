// Composed variants: a technique for each step of a workload, as typed.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// The variant that `text`, "STEP=TECHNIQUE/SHAPE[+STEP=...]", means: choices of steps by their
// names. Steps that it does not name take halo/64x4/align128, or their first choice where they have
// no such. Throws Error(usage) for a workload of one step, for a step, or a choice, that does not
// exist, and for choices that cannot go together; Error(unavailable) for a backend that is not
// built.
Variant composed_variant(const Registry& registry, const std::string& text,
                         const Workload& workload, Backend backend, ElementType cell);

}  // namespace camber
