// Where the build has put what tests start or load. The paths are in a source of their own, which
// the build writes: so the tests compile to the same objects in every build folder.
#pragma once

namespace built {

extern const char* const program;         // camber with every part
extern const char* const faulty_program;  // camber with variants that `check` must reject
extern const char* const fake_profiler;   // loaded by NVTX; empty without CUDA

// Stand-ins for NVML (tests/harness/machine/environment/fake_nvml.cpp).
extern const char* const fake_nvml;
extern const char* const fake_nvml_bare;
extern const char* const fake_nvml_old;
extern const char* const fake_nvml_fails;

}  // namespace built
