// List of exchange paths that every number of steps and every technique supports.
#pragma once

#include <vector>

#include "harness/registry/division.hpp"

namespace camber {

// All paths, with and without overlap if that is a choice. Excludes the kernel paths, which few
// variants support, and NCCL, which the executor does not support.
inline std::vector<Exchange> exchanges() {
    std::vector<Exchange> all{{ExchangePath::everything, false}};
    for (const ExchangePath path : exchange_paths)
        if (path != ExchangePath::everything && !is_by_kernels(path) && path != ExchangePath::nccl)
            for (const bool overlap : {false, true}) all.push_back({path, overlap});
    return all;
}

}  // namespace camber
