#include "harness/machine/counters/counter_error.hpp"

#include <fmt/format.h>

namespace camber::counters {

namespace {

// The codes are those of cupti_result.h, which a build without CUPTI does not have.
std::string_view cause_and_remedy(int result) {
    switch (result) {
        case 23:  // CUPTI_ERROR_DISABLED
        case 26:  // CUPTI_ERROR_HARDWARE_BUSY
        case 39:  // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
            return "another profiler (ncu, nsys, cuda-gdb or DCGM) holds the counters: run camber "
                   "without it, or leave the counters to that profiler";
        case 33:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
            return "this GPU is a virtual one (vGPU) that offers no counters: use a whole GPU";
        case 35:  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
            return "the driver gives counters to administrators only (RmProfilingAdminOnly in "
                   "/proc/driver/nvidia/params is 1): run as root, give the program CAP_PERFMON "
                   "(drivers from R565), or load the nvidia module with "
                   "NVreg_RestrictProfilingToAdminUsers=0";
        case 40:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
            return "the hypervisor forbids counters on this virtual GPU (vGPU): have its "
                   "administrator enable profiling for this machine, or use a whole GPU";
        case 41:  // CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
            return "counters are locked while the GPU is in confidential computing mode: use a "
                   "machine where that mode is off";
        case 42:  // CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED
            return "crypto mining processors (CMP) have no counters: use another GPU";
        case 43:  // CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED
            return "counters cannot be read on this slice of a GPU (MIG): use a GPU on which MIG "
                   "is off";
        case 45:  // CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED
            return "counters are not available to this GPU under WSL: use Linux itself, or update "
                   "Windows' NVIDIA driver and allow access to the GPU performance counters in its "
                   "control panel";
        default:
            return "";
    }
}

}  // namespace

Error counter_error(int result, std::string_view action, std::string_view explanation) {
    const std::string_view known = cause_and_remedy(result);
    const std::string reason =
        known.empty() ? fmt::format("{} failed in CUPTI with {}", action,
                                    explanation.empty() ? "an unknown error" : explanation)
                      : std::string(known);
    return {ExitCode::unavailable,
            fmt::format("the GPU cannot be profiled: {} (CUPTI error {})", reason, result)};
}

}  // namespace camber::counters
