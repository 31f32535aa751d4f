// Build paths of programs and libraries that tests start or load. The build generates the source
// file with the paths, so that the tests compile to the same objects in every build folder.
#pragma once

namespace built {

extern const char* const program;         // camber with all commands
extern const char* const faulty_program;  // camber with variants that `check` must reject
extern const char* const fake_profiler;   // loaded by NVTX; empty without CUDA

// Stand-ins for NVML (tests/harness/machine/environment/fake_nvml.cpp).
extern const char* const fake_nvml;
extern const char* const fake_nvml_bare;
extern const char* const fake_nvml_old;
extern const char* const fake_nvml_fails;

}  // namespace built
