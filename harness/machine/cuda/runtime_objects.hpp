// Checked calls of the CUDA runtime, whose errors become exceptions, an owner of texture objects, and
// queries of streams, events and devices.
#pragma once

#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber::cuda {

// Checks return codes of the CUDA runtime; all calls are checked here

// Throws Error(unavailable) with the attempted operation and CUDA's message.
void check(cudaError_t result, std::string_view action);

// Owner of a CUDA texture object.
class TextureObject {
  public:
    // Makes a texture of the field that starts at `base` and has no halo: point sampling,
    // unnormalized coordinates, unconverted elements of `element_size` bytes. Throws
    // Error(unavailable) if the device refuses, for instance because of the pitch (textures so far
    // require a multiple of 32 bytes) or the board size.
    TextureObject(const void* base, const cudaChannelFormatDesc& format, std::size_t element_size,
                  const Layout& layout, TextureShape shape, Addressing addressing);
    ~TextureObject();
    TextureObject(const TextureObject&) = delete;
    TextureObject& operator=(const TextureObject&) = delete;

    cudaTextureObject_t native() const { return object_; }

  private:
    cudaTextureObject_t object_ = 0;
};

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
