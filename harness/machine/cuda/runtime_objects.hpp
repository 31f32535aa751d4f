// Checked calls of the CUDA runtime, whose errors become exceptions, and an owner of texture
// objects.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"

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

}  // namespace camber::cuda
