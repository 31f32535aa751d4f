// Owners of CUDA streams and events, with their queries.
#pragma once

#include <cuda_runtime.h>

#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber::cuda {

inline cudaStream_t stream(void* handle) {
    return static_cast<cudaStream_t>(handle);
}
inline cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

inline int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "reading the device's attributes");
    return value;
}

inline bool records(void* handle) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream(handle), &status), "asking whether a stream records");
    return status != cudaStreamCaptureStatusNone;
}

// A transfer waits for the stream, which does not run while it records.
inline void refuse_to_record_transfer(void* handle) {
    if (records(handle)) throw NotRecordable();
}

}  // namespace camber::cuda
