// Compilation of a candidate's file for a GPU, by nvcc if it is installed, else by NVRTC. NVRTC is
// loaded at run time, so that programs built without CUDA can use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// NVRTC, the CUDA runtime compilation library, loaded at run time. Its functions are declared here
// so that programs built without CUDA's headers can use it ("NVRTC", CUDA Toolkit Documentation).
class Nvrtc {
  public:
    // Absent if the library is not found.
    static std::optional<Nvrtc> find();

    std::string version() const;  // "13.0"

    struct Result {
        std::string cubin;  // empty if the code does not compile
        std::string log;
    };
    // `kernels`: kernels to instantiate, including templates. Throws Error(unavailable) if the
    // library fails for another reason than the source code.
    Result compile(const std::string& text, const std::string& name,
                   const std::vector<std::string>& kernels,
                   const std::vector<std::string>& options) const;

  private:
    explicit Nvrtc(void* library) : library_(library) {}
    template <class F>
    F* function(const char* name) const;

    void* library_;  // handle of dlopen()
};

// Kernels of a file compiled for a GPU.
struct DeviceBuild {
    std::string cubin;
    // One line per kernel: registers, spills, shared memory; "" if the compiler reports nothing.
    std::string report;
};

enum class DeviceCompiler {
    any,  // nvcc if installed, else NVRTC
    nvcc,
    nvrtc,
};

// Compiles with line information (-lineinfo). `compute_capability`: 10 * major + minor. Throws
// Error(usage) with the compiler's messages if the file does not compile, and Error(unavailable) if
// neither compiler is installed.
DeviceBuild compile_for_device(const CandidateSource& source, int compute_capability,
                               const BuildCache& cache,
                               DeviceCompiler compiler = DeviceCompiler::any);

// Summary of ptxas messages (-Xptxas=-v), one line for each kernel in the directives: "step: 32
// registers, no spills, 2448 bytes of shared memory".
std::string kernel_report(const std::string& messages);

}  // namespace camber
