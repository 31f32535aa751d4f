// libcupti, loaded at run time. For the sources of this folder that are built where CUPTI's headers
// are; nothing else sees CUPTI's types.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>
#include <string_view>

namespace camber::counters {

// The functions in use. A library that lacks one is too old.
#define CAMBER_CUPTI_FUNCTIONS(use)                    \
    use(cuptiGetResultString);                         \
    use(cuptiGetVersion);                              \
    use(cuptiDeviceGetChipName);                       \
    use(cuptiActivityRegisterCallbacks);               \
    use(cuptiActivityEnable);                          \
    use(cuptiActivityDisable);                         \
    use(cuptiActivityFlushAll);                        \
    use(cuptiActivityGetNextRecord);                   \
    use(cuptiGetTimestamp);                            \
    use(cuptiGetStreamIdEx);                           \
    use(cuptiGetCallbackName);                         \
    use(cuptiProfilerInitialize);                      \
    use(cuptiProfilerDeviceSupported);                 \
    use(cuptiProfilerGetCounterAvailability);          \
    use(cuptiProfilerHostInitialize);                  \
    use(cuptiProfilerHostDeinitialize);                \
    use(cuptiProfilerHostGetSupportedChips);           \
    use(cuptiProfilerHostGetBaseMetrics);              \
    use(cuptiProfilerHostGetSubMetrics);               \
    use(cuptiProfilerHostConfigAddMetrics);            \
    use(cuptiProfilerHostGetConfigImageSize);          \
    use(cuptiProfilerHostGetConfigImage);              \
    use(cuptiProfilerHostGetNumOfPasses);              \
    use(cuptiProfilerHostEvaluateToGpuValues);         \
    use(cuptiRangeProfilerEnable);                     \
    use(cuptiRangeProfilerDisable);                    \
    use(cuptiRangeProfilerGetCounterDataSize);         \
    use(cuptiRangeProfilerCounterDataImageInitialize); \
    use(cuptiRangeProfilerSetConfig);                  \
    use(cuptiRangeProfilerStart);                      \
    use(cuptiRangeProfilerStop);                       \
    use(cuptiRangeProfilerPushRange);                  \
    use(cuptiRangeProfilerPopRange);                   \
    use(cuptiRangeProfilerDecodeData);                 \
    use(cuptiRangeProfilerGetCounterDataInfo)

struct CuptiLibrary {
#define CAMBER_DECLARE(function) decltype(&::function) function = nullptr
    CAMBER_CUPTI_FUNCTIONS(CAMBER_DECLARE);
#undef CAMBER_DECLARE
};

// Loaded on the first call and kept: CUPTI does not survive being unloaded. Throws
// Error(unavailable) where there is none.
const CuptiLibrary& cupti();

// Throws counter_error() unless `result` is a success.
void check(CUptiResult result, std::string_view action);

// Every call takes a structure that begins with its own size; the rest starts out as zeros.
template <class Parameters>
Parameters parameters(std::size_t size) {
    Parameters made{};
    made.structSize = size;
    return made;
}

}  // namespace camber::counters
