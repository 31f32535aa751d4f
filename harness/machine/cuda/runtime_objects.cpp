#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda {

TextureObject::TextureObject(const void* base, const cudaChannelFormatDesc& format,
                             std::size_t element_size, const Layout& layout, TextureShape shape,
                             Addressing addressing) {
    cudaResourceDesc resource{};
    if (shape == TextureShape::linear) {
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<void*>(base);
        resource.res.linear.desc = format;
        resource.res.linear.sizeInBytes = layout.elements() * element_size;
    } else {
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = const_cast<void*>(base);
        resource.res.pitch2D.desc = format;
        resource.res.pitch2D.width = static_cast<std::size_t>(layout.columns);
        resource.res.pitch2D.height = static_cast<std::size_t>(layout.rows);
        resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(layout.pitch) * element_size;
    }
    cudaTextureDesc texture{};
    texture.addressMode[0] = texture.addressMode[1] =
        addressing == Addressing::border ? cudaAddressModeBorder : cudaAddressModeClamp;
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = 0;
    check(cudaCreateTextureObject(&object_, &resource, &texture, nullptr), "creating a texture");
}

TextureObject::~TextureObject() {
    cudaDestroyTextureObject(object_);
}

}  // namespace camber::cuda
