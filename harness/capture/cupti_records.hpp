// Functions and records of CUPTI that recording and replay use: callbacks at launches and module
// loads, and kernel times. All record layouts are in this file. They are declared here, because one
// build of the recorder must work with every CUPTI from CUDA 12.6 on: each release appends fields
// to the kernel record, but its beginning has been the same since CUDA 11
// (tests/harness/capture/interface_test.cpp compares it with the headers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/capture/cuda_driver.hpp"

namespace camber::capture {

enum CuptiDomain : int { cupti_driver_calls = 1, cupti_resources = 3 };
inline constexpr std::uint32_t cupti_module_loaded = 6;

// Callback numbers of the driver's launch functions.
enum CuptiLaunchCall : std::uint32_t {
    cupti_launch = 307,
    cupti_launch_per_thread = 442,
    cupti_launch_cooperative = 477,
    cupti_launch_cooperative_per_thread = 478,
    cupti_launch_ex = 652,
    cupti_launch_ex_per_thread = 653,
};
inline constexpr std::uint32_t cupti_launch_calls[] = {
    cupti_launch,    cupti_launch_per_thread,    cupti_launch_cooperative,
    cupti_launch_ex, cupti_launch_ex_per_thread, cupti_launch_cooperative_per_thread};

// CUpti_CallbackData
struct CuptiCall {
    int site;  // 0: before the call, 1: after it
    const char* function;
    const void* parameters;
    void* result;
    const char* symbol;  // kernel of a launch
    CuContext context;
    std::uint32_t context_number;
    std::uint64_t* correlation_data;
    std::uint32_t correlation;
};

// cuLaunchKernel_params; cuLaunchCooperativeKernel_params ends before `extra`.
struct CuptiLaunchParameters {
    CuFunction function;
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    CuStream stream;
    void** arguments;
    void** extra;
};

// cuLaunchKernelEx_params
struct CuptiLaunchExParameters {
    const CuLaunchConfig* config;
    CuFunction function;
    void** arguments;
    void** extra;
};

// CUpti_ResourceData and CUpti_ModuleResourceData
struct CuptiResource {
    CuContext context;
    void* handle;
    void* description;
};
struct CuptiModule {
    std::uint32_t number;
    std::size_t bytes;
    const char* image;
};

// Beginning of CUpti_ActivityKernel4 and all later kernel records.
struct CuptiKernelRecord {
    std::uint32_t kind;
    std::uint8_t cache_configuration;
    std::uint8_t shared_configuration;
    std::uint16_t registers;
    std::uint32_t partitioned[2];
    std::uint64_t start, end, completed;  // ns
    std::uint32_t device, context, stream;
    std::int32_t grid[3];
    std::int32_t block[3];
    std::int32_t static_shared, dynamic_shared;
    std::uint32_t local_per_thread, local_total;
    std::uint32_t correlation;
    std::int64_t grid_number;
    const char* name;
};
inline constexpr int cupti_concurrent_kernels = 10;
inline constexpr std::uint32_t cupti_kernel_kinds[] = {3, 10};

using CuptiSubscriber = struct CuptiSubscriberTag*;
using CuptiCallback = void (*)(void*, int domain, std::uint32_t call, const void* data);

inline constexpr int cupti_second_client = 39;

#define CAMBER_CUPTI_CALLS(use)                                                                   \
    use(cuptiSubscribe, subscribe, (CuptiSubscriber*, CuptiCallback, void*))                      \
        use(cuptiUnsubscribe, unsubscribe, (CuptiSubscriber))                                     \
            use(cuptiEnableCallback, enable_callback,                                             \
                (std::uint32_t, CuptiSubscriber, int, std::uint32_t))                             \
                use(cuptiActivityRegisterCallbacks, register_buffers,                             \
                    (void (*)(std::uint8_t**, std::size_t*, std::size_t*),                        \
                     void (*)(void*, std::uint32_t, std::uint8_t*, std::size_t, std::size_t)))    \
                    use(cuptiActivityEnable, enable_activity, (int))                              \
                        use(cuptiActivityDisable, disable_activity, (int))                        \
                            use(cuptiActivityFlushAll, flush, (std::uint32_t))                    \
                                use(cuptiActivityFlushPeriod, flush_period, (std::uint32_t)) use( \
                                    cuptiActivityGetNextRecord, next_record,                      \
                                    (std::uint8_t*, std::size_t, void**))                         \
                                    use(cuptiGetResultString, result_text, (int, const char**))

// CUPTI of this process.
struct Cupti {
#define CAMBER_DECLARE_CALL(symbol, name, parameters) int(*name) parameters = nullptr;
    CAMBER_CUPTI_CALLS(CAMBER_DECLARE_CALL)
#undef CAMBER_DECLARE_CALL

    bool complete() const {
        return result_text != nullptr;
    }
    // "CUPTI_ERROR_... (NUMBER)"
    std::string described(int error) const;

    // All CUPTI libraries that can be loaded: first the one that the process already uses, because
    // two do not work together, then those of the loader's path and of `folders`.
    static std::vector<Cupti> candidates(const std::vector<std::string>& folders);
};

// Calls `visit` with each kernel record that CUPTI delivers, on CUPTI's thread. Only one visitor
// per process. Returns CUPTI's error code.
int start_kernel_records(const Cupti& cupti, std::function<void(const CuptiKernelRecord&)> visit);
void stop_kernel_records(const Cupti& cupti);

}  // namespace camber::capture
