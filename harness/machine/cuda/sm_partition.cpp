#include "harness/machine/cuda/sm_partition.hpp"

#include <cuda.h>
#include <fmt/format.h>

#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda {

namespace {

// Looks up a function in the driver that the runtime has loaded, so that the program starts without
// a driver.
template <class Function>
Function* driver_function(const char* name) {
    constexpr unsigned first_version = 12040;
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    if (cudaGetDriverEntryPointByVersion(name, &found, first_version, cudaEnableDefault, &status) !=
            cudaSuccess ||
        status != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        throw Error(ExitCode::unavailable,
                    fmt::format("the driver has no {}, which dividing a device into partitions "
                                "needs: update it to one for CUDA 12.4 or later",
                                name));
    }
    return reinterpret_cast<Function*>(found);
}

#define CAMBER_DRIVER(function) driver_function<decltype(::function)>(#function)

void check_driver(CUresult result, const std::string& action) {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    CAMBER_DRIVER(cuGetErrorName)(result, &name);
    throw Error(ExitCode::unavailable,
                fmt::format("CUDA failed while {}: {}; partitions need a driver for CUDA 12.4 or "
                            "later and a device without MIG or MPS",
                            action, name ? name : "unknown error"));
}

CUdevResource multiprocessors(int device) {
    check(cudaSetDevice(device), fmt::format("opening device {}", device));
    check(cudaFree(nullptr), fmt::format("opening device {}", device));
    CUdevice handle = 0;
    check_driver(CAMBER_DRIVER(cuDeviceGet)(&handle, device), "looking for the device");
    CUdevResource all{};
    check_driver(CAMBER_DRIVER(cuDeviceGetDevResource)(handle, &all, CU_DEV_RESOURCE_TYPE_SM),
                 "asking for the device's multiprocessors");
    return all;
}

}  // namespace

SmPartition::SmPartition(int device, int sms) : device_(device) {
    CUdevResource all = multiprocessors(device);
    if (sms < 1 || sms > static_cast<int>(all.sm.smCount))
        throw Error(ExitCode::usage,
                    fmt::format("a partition of {} multiprocessors is impossible: device {} has {}",
                                sms, device, all.sm.smCount));
    CUdevResource part{};
    unsigned groups = 1;
    check_driver(CAMBER_DRIVER(cuDevSmResourceSplitByCount)(&part, &groups, &all, nullptr, 0,
                                                            static_cast<unsigned>(sms)),
                 fmt::format("dividing off {} multiprocessors", sms));
    CUdevResourceDesc description = nullptr;
    check_driver(CAMBER_DRIVER(cuDevResourceGenerateDesc)(&description, &part, 1),
                 "describing a partition");
    CUdevice handle = 0;
    check_driver(CAMBER_DRIVER(cuDeviceGet)(&handle, device), "looking for the device");
    CUgreenCtx green = nullptr;
    check_driver(
        CAMBER_DRIVER(cuGreenCtxCreate)(&green, description, handle, CU_GREEN_CTX_DEFAULT_STREAM),
        "creating a green context");
    context_ = green;
    CUcontext context = nullptr;
    check_driver(CAMBER_DRIVER(cuCtxFromGreenCtx)(&context, green), "entering a green context");
    check_driver(CAMBER_DRIVER(cuCtxSetCurrent)(context), "entering a green context");
}

SmPartition::~SmPartition() {
    cudaSetDevice(device_);  // back to the whole device
    try {
        CAMBER_DRIVER(cuGreenCtxDestroy)(static_cast<CUgreenCtx>(context_));
    } catch (const Error&) {  // the partition was created, so the driver can destroy it
    }
}

namespace {

// Number of SMs of the device or partition that the calling thread's CUDA calls use.
int multiprocessors_in_use() {
    CUcontext context = nullptr;
    check_driver(CAMBER_DRIVER(cuCtxGetCurrent)(&context), "asking for the context");
    CUdevResource sms{};
    check_driver(CAMBER_DRIVER(cuCtxGetDevResource)(context, &sms, CU_DEV_RESOURCE_TYPE_SM),
                 "asking for the context's multiprocessors");
    return static_cast<int>(sms.sm.smCount);
}

}  // namespace

int resident_blocks(const void* kernel, const LaunchShape& shape) {
    int blocks = 0;
    const int threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                        shape.dynamic_shared),
          "computing a kernel's occupancy");
    return blocks * multiprocessors_in_use();
}

SmGranularity sm_granularity(int device) {
    const CUdevResource all = multiprocessors(device);
#if CUDA_VERSION >= 13000
    return {static_cast<int>(all.sm.minSmPartitionSize),
            static_cast<int>(all.sm.smCoscheduledAlignment)};
#else
    // If the driver does not report the granularity, simulates a split into minimal partitions.
    CUdevResource part{};
    unsigned groups = 1;
    check_driver(CAMBER_DRIVER(cuDevSmResourceSplitByCount)(&part, &groups, &all, nullptr, 0, 1),
                 "asking for the smallest partition");
    return {static_cast<int>(part.sm.smCount), static_cast<int>(part.sm.smCount)};
#endif
}

}  // namespace camber::cuda
