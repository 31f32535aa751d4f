// A library's launch function as a variant like any other, on a GPU alone.
#pragma once

#include <filesystem>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Throws Error(usage) for what is wrong with the library, or does not go with the workload.
Variant library_variant(const std::filesystem::path& path, const Workload& workload,
                        ElementType cell);

}  // namespace camber
