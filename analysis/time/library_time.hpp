// Time of a library call that replaces a kernel; only its bytes are known.
#pragma once

#include "analysis/time/kernel_time.hpp"
#include "analysis/time/machine.hpp"

namespace camber {

// Kernels of a library that run one after another, and the bytes that they move together.
struct LibraryWork {
    double read_bytes = 0;
    double written_bytes = 0;
    int kernels = 0;
};

// Its kernels start one after another, and move their bytes as a copy does. The interval goes from
// half of it to twice: nobody sees their accesses, nor how long their blocks wait for each other.
PredictedTime library_time(const LibraryWork& work, const Machine& machine);

}  // namespace camber
