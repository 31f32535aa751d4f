// The ways of exchange that steps of any number and technique have.
#pragma once

#include <vector>

#include "harness/registry/division.hpp"

namespace camber {

// Every way, with and without overlap where that is a choice; but for those of kernels, which few
// variants have, and that of NCCL, which the executor has not.
inline std::vector<Exchange> exchanges() {
    std::vector<Exchange> all{{ExchangePath::everything, false}};
    for (const ExchangePath path : exchange_paths)
        if (path != ExchangePath::everything && !is_by_kernels(path) && path != ExchangePath::nccl)
            for (const bool overlap : {false, true}) all.push_back({path, overlap});
    return all;
}

}  // namespace camber
