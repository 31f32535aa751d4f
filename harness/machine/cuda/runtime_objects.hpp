// Checked calls of the CUDA runtime, whose errors become exceptions, and an owner of texture
// objects.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"

namespace camber::cuda {

// Checks return codes of the CUDA runtime; all calls are checked here.

// Throws Error(unavailable) with what was tried and CUDA's own words.
void check(cudaError_t result, std::string_view action);

// A CUDA texture object, destroyed with its owner.
class TextureObject {
  public:
    // Over the field that starts at `base` and has no halo: point sampling, coordinates not
    // normalized, elements of `element_size` bytes as they are. Throws Error(unavailable) where the
    // device refuses, as for a pitch that its textures do not allow (32 bytes on all so far) or a
    // board beyond its limits.
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
