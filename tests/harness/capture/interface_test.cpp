// Declarations of the driver's and CUPTI's types, compared with the headers where these are
// installed.
#include "tests/catch.hpp"

#ifdef CAMBER_HAS_CUPTI
    #include <cuda.h>
    #include <cupti.h>

    #include <cstddef>

    #include "harness/capture/cupti_records.hpp"

namespace camber::capture_test::interface_test {

using namespace capture;

    #define CAMBER_SAME_OFFSET(ours, our_member, theirs, their_member) \
        static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member))
    #define CAMBER_SAME_VALUE(ours, theirs) \
        static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

static_assert(sizeof(CuLaunchAttribute) == sizeof(CUlaunchAttribute));
CAMBER_SAME_OFFSET(CuLaunchAttribute, value, CUlaunchAttribute, value);
static_assert(sizeof(CuLaunchConfig) == sizeof(CUlaunchConfig));
CAMBER_SAME_OFFSET(CuLaunchConfig, block, CUlaunchConfig, blockDimX);
CAMBER_SAME_OFFSET(CuLaunchConfig, shared_bytes, CUlaunchConfig, sharedMemBytes);
CAMBER_SAME_OFFSET(CuLaunchConfig, stream, CUlaunchConfig, hStream);
CAMBER_SAME_OFFSET(CuLaunchConfig, attributes, CUlaunchConfig, attrs);
CAMBER_SAME_OFFSET(CuLaunchConfig, attribute_count, CUlaunchConfig, numAttrs);
static_assert(sizeof(CuAllocationProperties) == sizeof(CUmemAllocationProp));
CAMBER_SAME_OFFSET(CuAllocationProperties, location, CUmemAllocationProp, location);
static_assert(sizeof(CuAccess) == sizeof(CUmemAccessDesc));
CAMBER_SAME_OFFSET(CuAccess, flags, CUmemAccessDesc, flags);
CAMBER_SAME_VALUE(cu_attribute_cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
CAMBER_SAME_VALUE(cu_attribute_cluster, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
CAMBER_SAME_VALUE(cu_attribute_cluster_scheduling,
                  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
CAMBER_SAME_VALUE(cu_attribute_carveout, CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
CAMBER_SAME_VALUE(cu_pointer_memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
CAMBER_SAME_VALUE(cu_pointer_is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED);
CAMBER_SAME_VALUE(cu_pointer_range_start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
CAMBER_SAME_VALUE(cu_pointer_range_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
CAMBER_SAME_VALUE(cu_function_max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
CAMBER_SAME_VALUE(cu_function_max_dynamic_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
CAMBER_SAME_VALUE(cu_function_carveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
CAMBER_SAME_VALUE(cu_function_non_portable_cluster,
                  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
CAMBER_SAME_VALUE(cu_device_multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
CAMBER_SAME_VALUE(cu_device_l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
CAMBER_SAME_VALUE(cu_device_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
CAMBER_SAME_VALUE(cu_device_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
CAMBER_SAME_VALUE(cu_stream_non_blocking, CU_STREAM_NON_BLOCKING);
CAMBER_SAME_VALUE(cu_capture_relaxed, CU_STREAM_CAPTURE_MODE_RELAXED);

CAMBER_SAME_VALUE(cupti_driver_calls, CUPTI_CB_DOMAIN_DRIVER_API);
CAMBER_SAME_VALUE(cupti_resources, CUPTI_CB_DOMAIN_RESOURCE);
CAMBER_SAME_VALUE(cupti_module_loaded, CUPTI_CBID_RESOURCE_MODULE_LOADED);
CAMBER_SAME_VALUE(cupti_launch, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
CAMBER_SAME_VALUE(cupti_launch_per_thread, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
CAMBER_SAME_VALUE(cupti_launch_cooperative, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
CAMBER_SAME_VALUE(cupti_launch_cooperative_per_thread,
                  CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
CAMBER_SAME_VALUE(cupti_launch_ex, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
CAMBER_SAME_VALUE(cupti_launch_ex_per_thread, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
CAMBER_SAME_VALUE(cupti_second_client, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(sizeof(CuptiCall) == sizeof(CUpti_CallbackData));
CAMBER_SAME_OFFSET(CuptiCall, parameters, CUpti_CallbackData, functionParams);
CAMBER_SAME_OFFSET(CuptiCall, result, CUpti_CallbackData, functionReturnValue);
CAMBER_SAME_OFFSET(CuptiCall, symbol, CUpti_CallbackData, symbolName);
CAMBER_SAME_OFFSET(CuptiCall, correlation, CUpti_CallbackData, correlationId);
static_assert(sizeof(CuptiLaunchParameters) == sizeof(cuLaunchKernel_params));
CAMBER_SAME_OFFSET(CuptiLaunchParameters, stream, cuLaunchKernel_params, hStream);
CAMBER_SAME_OFFSET(CuptiLaunchParameters, extra, cuLaunchKernel_params, extra);
CAMBER_SAME_OFFSET(CuptiLaunchParameters, arguments, cuLaunchCooperativeKernel_params,
                   kernelParams);
static_assert(sizeof(CuptiLaunchExParameters) == sizeof(cuLaunchKernelEx_params));
CAMBER_SAME_OFFSET(CuptiResource, description, CUpti_ResourceData, resourceDescriptor);
static_assert(sizeof(CuptiModule) == sizeof(CUpti_ModuleResourceData));
CAMBER_SAME_OFFSET(CuptiModule, image, CUpti_ModuleResourceData, pCubin);
    #if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
    #else
using KernelRecord = CUpti_ActivityKernel9;
    #endif
CAMBER_SAME_OFFSET(CuptiKernelRecord, start, KernelRecord, start);
CAMBER_SAME_OFFSET(CuptiKernelRecord, grid, KernelRecord, gridX);
CAMBER_SAME_OFFSET(CuptiKernelRecord, block, KernelRecord, blockX);
CAMBER_SAME_OFFSET(CuptiKernelRecord, dynamic_shared, KernelRecord, dynamicSharedMemory);
CAMBER_SAME_OFFSET(CuptiKernelRecord, correlation, KernelRecord, correlationId);
CAMBER_SAME_OFFSET(CuptiKernelRecord, name, KernelRecord, name);
CAMBER_SAME_VALUE(cupti_concurrent_kernels, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);

}  // namespace camber::capture_test::interface_test
#endif

TEST_CASE("declarations of the driver and CUPTI agree with the headers", "[capture]") {
#ifndef CAMBER_HAS_CUPTI
    camber::skip_test("this build has no headers of CUDA and CUPTI");
#else
    SUCCEED("compared when this file was compiled");
#endif
}
