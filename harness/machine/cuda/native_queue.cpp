#include "harness/machine/queue/native_queue.hpp"

#include <cuda_runtime_api.h>

#include "harness/machine/cuda/check.hpp"
#include "harness/machine/cuda/stream.hpp"

namespace camber {

NativeQueue::NativeQueue(Queue& queue) {
    if (queue.backend() != Backend::cuda) return;
    stream_ = static_cast<cuda::Stream&>(queue).native();
    queue.limits();  // asks the queue's own device, which it turns to
    cuda::check(cudaGetDevice(&device_), "asking for the device in use");
}

void* NativeQueue::stream() const {
    if (!stream_) return nullptr;
    int current = -1;
    cuda::check(cudaGetDevice(&current), "asking for the device in use");
    // Within a partition the device in use is its own, and setting it would leave the partition.
    if (current != device_) cuda::check(cudaSetDevice(device_), "turning to a device");
    return stream_;
}

}  // namespace camber
