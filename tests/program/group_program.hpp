// Runs on three simulated devices, for tests of groups.
#pragma once

#include <string>

#include "tests/program/program.hpp"

namespace camber::cli_test {

inline const Arguments three_places{"run",    "--backend", "simt",      "--quick",
                                    "--gpus", "3",         "--variant", "halo/16x16/*"};

// True if the steps' own kernels perform the exchange of a case in a results file.
inline bool is_by_kernels(const Json& own) {
    const auto exchange = own["group"]["exchange"].get<std::string>();
    return exchange == "kernel" || exchange == "persistent";
}

}  // namespace camber::cli_test
