// Kernels of a file for a GPU: compiled by nvcc where it is, else by NVRTC.
#pragma once

#include <string>

#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

struct DeviceBuild {
    std::string cubin;
    // A line for each kernel: registers, spills, shared memory; "" where the compiler says nothing.
    std::string report;
};

enum class DeviceCompiler {
    any,  // nvcc where it is, else NVRTC
    nvcc,
    nvrtc,
};

// For the architecture 10 * major + minor, with the numbers of its lines (-lineinfo). Throws
// Error(usage) with the compiler's messages where the file does not compile, Error(unavailable)
// where neither compiler is there.
DeviceBuild compile_for_device(const CandidateSource& source, int compute_capability,
                               const BuildCache& cache,
                               DeviceCompiler compiler = DeviceCompiler::any);

// What ptxas says (-Xptxas=-v), a line for each kernel that the directives name: "step: 32
// registers, no spills, 2448 bytes of shared memory".
std::string kernel_report(const std::string& messages);

}  // namespace camber
