// Target of the current compilation of a kernel: device or executor.
//
// Kernels are plain CUDA C++. nvcc compiles them for the device; the host's C++ compiler compiles
// the same file for the SIMT executor (harness/machine/simt), which runs every CUDA thread as a
// fiber. Types whose definition differs between the two (Grid, Tile) are in an inline namespace, so
// that both compilations can be linked into one program.
#pragma once

#if defined(__CUDACC__)

    #define CAMBER_ON_DEVICE 1
    #define CAMBER_HD __host__ __device__
    #define CAMBER_DEVICE __device__ __forceinline__
    // Precedes a CAMBER_HD template that may call device-only code.
    #define CAMBER_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
    #define CAMBER_TARGET on_device
#else

    #define CAMBER_ON_DEVICE 0
    #define CAMBER_HD
    #define CAMBER_DEVICE inline
    #define CAMBER_EXEC_CHECK_DISABLE
    #define CAMBER_TARGET on_host

#endif

#define CAMBER_TARGET_BEGIN \
    namespace camber {      \
    inline namespace CAMBER_TARGET {
// The same in the namespace of a workload, as kernels of two workloads may have the same name.
#define CAMBER_WORKLOAD_BEGIN(workload) \
    namespace camber::workload {        \
    inline namespace CAMBER_TARGET {
// Closes either namespace.
#define CAMBER_TARGET_END \
    }                     \
    }
