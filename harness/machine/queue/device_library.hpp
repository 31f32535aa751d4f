// Machine code of kernels that was not built with the program, loaded onto the device in use.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/launch_shape.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/state.hpp"
#include "harness/base/texture_shape.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// A texture object of the device, which lives as long as this.
class DeviceTexture {
  public:
    virtual ~DeviceTexture() = default;
    virtual unsigned long long handle() const = 0;
};

class DeviceLibrary {
  public:
    virtual ~DeviceLibrary() = default;
    // The kernel `symbol`, under `name` in facts and timelines. `queue` must be of the cuda
    // backend, `arguments` a pointer to each of the kernel's arguments.
    virtual void launch(Queue& queue, const std::string& symbol, const char* name,
                        const LaunchShape& shape, void** arguments) = 0;
    // How many blocks of the kernel the device holds at once.
    virtual int resident_blocks(const std::string& symbol, const LaunchShape& shape) = 0;
    // A variable of the library in the device's memory, of at least `bytes` bytes.
    virtual void* variable(const std::string& symbol, std::size_t bytes) = 0;
    // Over a field without a halo that begins at `base`.
    virtual std::unique_ptr<DeviceTexture> texture(const void* base, ElementType element,
                                                   const Layout& layout, TextureShape shape) = 0;
};

// `image`: a cubin. Throws Error(unavailable) where it cannot be loaded, and in a program without
// CUDA.
std::unique_ptr<DeviceLibrary> load_device_library(std::string_view image);

}  // namespace camber
