// The variants that a command is asked for, as typed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// The workload's variants for one backend and cell type whose name, with or without the workload in
// front, matches one of the globs; all of them where there is no glob. Throws Error(usage) for a
// glob that matches none, and where there are no variants to choose from.
std::vector<const Variant*> chosen_variants(const std::vector<std::string>& globs,
                                            const Workload& workload, Backend backend,
                                            ElementType cell);

// What the compositions mean (see composed_variant()), each variant once.
std::vector<std::shared_ptr<const Variant>> composed_variants(
    const std::vector<std::string>& compositions, const Workload& workload, Backend backend,
    ElementType cell);

}  // namespace camber
