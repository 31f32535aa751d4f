// Compilation of a candidate's file for a GPU, by nvcc if it is installed, else by NVRTC. NVRTC is
// loaded at run time, so that programs built without CUDA can use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// NVRTC, the CUDA compiler in a library, loaded where it is. Its functions are declared here, so
// that a program without CUDA's headers has it, too ("NVRTC", CUDA Toolkit Documentation).
class Nvrtc {
  public:
    // Nothing where the library is not found.
    static std::optional<Nvrtc> find();

    std::string version() const;  // "13.0"

    struct Result {
        std::string cubin;  // empty where it does not compile
        std::string log;
    };
    // `kernels`: those that the code must have, also of templates. Throws Error(unavailable) where
    // the library fails otherwise than for the text.
    Result compile(const std::string& text, const std::string& name,
                   const std::vector<std::string>& kernels,
                   const std::vector<std::string>& options) const;

  private:
    explicit Nvrtc(void* library) : library_(library) {}
    template <class F>
    F* function(const char* name) const;

    void* library_;  // as dlopen gives it
};

// Kernels of a file for a GPU: compiled by nvcc where it is, else by NVRTC.
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
