// Functions of the CUDA driver, loaded at run time. They are declared here, with the driver's
// binary interface, so that captures are recorded and replayed by programs built without CUDA's
// headers
// ("CUDA Driver API", CUDA Toolkit Documentation). tests/harness/capture/interface_test.cpp
// compares the types with the headers where these are installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace camber::capture {

using CuResult = int;  // CUresult; 0 is success
using CuDevice = int;
using CuAddress = unsigned long long;  // CUdeviceptr
using CuContext = struct CuContextTag*;
using CuModule = struct CuModuleTag*;
using CuFunction = struct CuFunctionTag*;  // also a CUkernel, as the runtime passes it to launches
using CuStream = struct CuStreamTag*;
using CuEvent = struct CuEventTag*;

enum CuError : CuResult {
    cu_success = 0,
    cu_out_of_memory = 2,
    cu_no_device = 100,
    cu_no_binary_for_gpu = 209,
    cu_not_found = 500,
};

// Attribute of a launch, CUlaunchAttribute: 64 bytes whose meaning depends on `id`.
struct CuLaunchAttribute {
    std::uint32_t id;
    std::uint32_t padding;
    unsigned char value[64];
};

enum CuLaunchAttributeId : std::uint32_t {
    cu_attribute_cooperative = 2,
    cu_attribute_cluster = 4,
    cu_attribute_cluster_scheduling = 5,
    cu_attribute_preferred_cluster = 11,
    cu_attribute_carveout = 14,
};

struct CuLaunchConfig {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    CuStream stream;
    CuLaunchAttribute* attributes;
    unsigned attribute_count;
};

enum CuPointerAttribute : int {
    cu_pointer_memory_type = 2,  // 1: host, 2: device
    cu_pointer_is_managed = 8,
    cu_pointer_range_start = 11,
    cu_pointer_range_bytes = 12,
};

enum CuFunctionAttribute : int {
    cu_function_max_threads = 0,
    cu_function_max_dynamic_shared = 8,
    cu_function_carveout = 9,
    cu_function_non_portable_cluster = 14,
};

enum CuDeviceAttribute : int {
    cu_device_multiprocessors = 16,
    cu_device_l2_bytes = 38,
    cu_device_capability_major = 75,
    cu_device_capability_minor = 76,
    cu_device_pageable_access = 88,
};

struct CuMemoryLocation {
    int type;  // 1: device
    int id;
};

struct CuAllocationProperties {
    int type;  // 1: pinned
    int handle_types;
    CuMemoryLocation location;
    void* windows;
    unsigned char flags[8];
};

struct CuAccess {
    CuMemoryLocation location;
    int flags;  // 3: read and write
};

inline constexpr unsigned cu_stream_non_blocking = 1;
inline constexpr int cu_capture_relaxed = 2;

// use(name for the loader, name here, parameter types)
// clang-format off
#define CAMBER_DRIVER_FUNCTIONS(use)                                                               \
    use(cuInit, init, (unsigned))                                                                  \
    use(cuDriverGetVersion, driver_version, (int*))                                                \
    use(cuGetErrorName, error_name, (CuResult, const char**))                                      \
    use(cuDeviceGetCount, device_count, (int*))                                                    \
    use(cuDeviceGet, device, (CuDevice*, int))                                                     \
    use(cuDeviceGetName, device_name, (char*, int, CuDevice))                                      \
    use(cuDeviceGetAttribute, device_attribute, (int*, int, CuDevice))                             \
    use(cuDevicePrimaryCtxRetain, retain_context, (CuContext*, CuDevice))                          \
    use(cuCtxSetCurrent, set_context, (CuContext))                                                 \
    use(cuCtxGetDevice, context_device, (CuDevice*))                                               \
    use(cuCtxSynchronize, synchronize, ())                                                         \
    use(cuModuleLoadData, load_module, (CuModule*, const void*))                                   \
    use(cuModuleGetFunction, module_function, (CuFunction*, CuModule, const char*))                \
    use(cuModuleGetGlobal_v2, module_global, (CuAddress*, std::size_t*, CuModule, const char*))    \
    use(cuKernelGetFunction, kernel_function, (CuFunction*, CuFunction))                           \
    use(cuFuncGetModule, function_module, (CuModule*, CuFunction))                                 \
    use(cuFuncLoad, load_function, (CuFunction))                                                   \
    use(cuFuncGetAttribute, function_attribute, (int*, int, CuFunction))                           \
    use(cuFuncSetAttribute, set_function_attribute, (CuFunction, int, int))                        \
    use(cuFuncGetParamInfo, parameter_info, (CuFunction, std::size_t, std::size_t*, std::size_t*)) \
    use(cuLaunchKernelEx, launch, (const CuLaunchConfig*, CuFunction, void**, void**))             \
    use(cuMemAlloc_v2, allocate, (CuAddress*, std::size_t))                                        \
    use(cuMemFree_v2, release, (CuAddress))                                                        \
    use(cuMemcpyAsync, copy, (CuAddress, CuAddress, std::size_t, CuStream))                        \
    use(cuMemsetD8Async, fill, (CuAddress, unsigned char, std::size_t, CuStream))                  \
    use(cuMemHostRegister_v2, register_host, (void*, std::size_t, unsigned))                       \
    use(cuPointerGetAttributes, pointer_attributes, (unsigned, int*, void**, CuAddress))           \
    use(cuMemAddressReserve, reserve_address,                                                      \
        (CuAddress*, std::size_t, std::size_t, CuAddress, unsigned long long))                     \
    use(cuMemAddressFree, free_address, (CuAddress, std::size_t))                                  \
    use(cuMemGetAllocationGranularity, allocation_granularity,                                     \
        (std::size_t*, const CuAllocationProperties*, int))                                        \
    use(cuMemCreate, create_memory,                                                                \
        (unsigned long long*, std::size_t, const CuAllocationProperties*, unsigned long long))     \
    use(cuMemMap, map_memory,                                                                      \
        (CuAddress, std::size_t, std::size_t, unsigned long long, unsigned long long))             \
    use(cuMemSetAccess, set_access, (CuAddress, std::size_t, const CuAccess*, std::size_t))        \
    use(cuStreamCreate, create_stream, (CuStream*, unsigned))                                      \
    use(cuStreamDestroy_v2, destroy_stream, (CuStream))                                            \
    use(cuStreamSynchronize, wait_for_stream, (CuStream))                                          \
    use(cuStreamIsCapturing, stream_is_recorded, (CuStream, int*))                                 \
    use(cuThreadExchangeStreamCaptureMode, exchange_capture_mode, (int*))                          \
    use(cuEventCreate, create_event, (CuEvent*, unsigned))                                         \
    use(cuEventRecord, record_event, (CuEvent, CuStream))                                          \
    use(cuEventElapsedTime, elapsed_time, (float*, CuEvent, CuEvent))                              \
    use(cuEventDestroy_v2, destroy_event, (CuEvent))
// clang-format on

// Functions of the driver; nullptr for those that an older driver lacks.
struct Driver {
#define CAMBER_DECLARE_FUNCTION(symbol, name, parameters) CuResult(*name) parameters = nullptr;
    CAMBER_DRIVER_FUNCTIONS(CAMBER_DECLARE_FUNCTION)
#undef CAMBER_DECLARE_FUNCTION

    // "CUDA_ERROR_ILLEGAL_ADDRESS (700)".
    std::string described(CuResult error) const;
};

// The driver of this process, which is loaded at the first call. Throws Error(unavailable) if there
// is none, or if it is older than CUDA 12.4, the first with cuFuncGetParamInfo.
const Driver& driver();

// Why the driver of this machine cannot be used; "" if it can, or if there is none.
std::string driver_defect();

// Error returned by a driver function.
struct DriverFailure {
    CuResult error = cu_success;
    const char* action = "";

    std::string sentence() const;  // "the driver failed while ACTION: NAME (NUMBER)"
};

// Throws DriverFailure if `error` is not success.
inline void check(CuResult error, const char* action) {
    if (error != cu_success) throw DriverFailure{error, action};
}

}  // namespace camber::capture
