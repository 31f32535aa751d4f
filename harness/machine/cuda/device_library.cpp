#include "harness/machine/queue/device_library.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <map>

#include "harness/base/error.hpp"
#include "harness/machine/cuda/check.hpp"
#include "harness/machine/cuda/resident_blocks.hpp"
#include "harness/machine/cuda/stream.hpp"
#include "harness/machine/cuda/texture_object.hpp"

namespace camber {

namespace {

[[maybe_unused]] cudaChannelFormatDesc channel_of(ElementType element) {
    const int bits = 8 * info(element).size;
    const bool real = element == ElementType::float32;
    const bool with_sign = element == ElementType::int32;
    if (bits > 32)
        throw Error(ExitCode::usage,
                    "textures have no elements of eight bytes: read the field with in");
    return cudaCreateChannelDesc(bits, 0, 0, 0,
                                 real        ? cudaChannelFormatKindFloat
                                 : with_sign ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned);
}

#if CUDART_VERSION >= 12080

class CudaTexture final : public DeviceTexture {
  public:
    CudaTexture(const void* base, ElementType element, const Layout& layout, TextureShape shape)
        : object_(base, channel_of(element), static_cast<std::size_t>(info(element).size), layout,
                  shape, Addressing::border) {}
    unsigned long long handle() const override { return object_.native(); }

  private:
    cuda::TextureObject object_;
};

class CudaLibrary final : public DeviceLibrary {
  public:
    explicit CudaLibrary(std::string_view image) : image_(image) {
        cuda::check(
            cudaLibraryLoadData(&library_, image_.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            "loading a kernel");
    }
    ~CudaLibrary() override { cudaLibraryUnload(library_); }
    CudaLibrary(const CudaLibrary&) = delete;
    CudaLibrary& operator=(const CudaLibrary&) = delete;

    void launch(Queue& queue, const std::string& symbol, const char* name, const LaunchShape& shape,
                void** arguments) override {
        static_cast<cuda::Stream&>(queue).launch(name, kernel(symbol), shape, arguments);
    }
    int resident_blocks(const std::string& symbol, const LaunchShape& shape) override {
        return cuda::resident_blocks(kernel(symbol), shape);
    }
    void* variable(const std::string& symbol, std::size_t bytes) override {
        void* address = nullptr;
        std::size_t size = 0;
        cuda::check(cudaLibraryGetGlobal(&address, &size, library_, symbol.c_str()),
                    fmt::format("finding the kernel's variable {}", symbol));
        if (size < bytes)
            throw Error(ExitCode::usage,
                        fmt::format("{} has {} bytes, and {} are to be laid into it: make the "
                                    "__constant__ array larger",
                                    symbol, size, bytes));
        return address;
    }
    std::unique_ptr<DeviceTexture> texture(const void* base, ElementType element,
                                           const Layout& layout, TextureShape shape) override {
        return std::make_unique<CudaTexture>(base, element, layout, shape);
    }

  private:
    // The runtime takes a kernel's handle where it takes a function's address.
    const void* kernel(const std::string& symbol) {
        const auto [found, added] = kernels_.try_emplace(symbol, nullptr);
        if (added)
            cuda::check(cudaLibraryGetKernel(&found->second, library_, symbol.c_str()),
                        fmt::format("finding the kernel {}", symbol));
        return reinterpret_cast<const void*>(found->second);
    }

    std::string image_;
    cudaLibrary_t library_ = nullptr;
    std::map<std::string, cudaKernel_t> kernels_;
};

#endif

}  // namespace

std::unique_ptr<DeviceLibrary> load_device_library([[maybe_unused]] std::string_view image) {
#if CUDART_VERSION >= 12080
    return std::make_unique<CudaLibrary>(image);
#else
    throw Error(ExitCode::unavailable,
                "kernels from files need CUDA 12.8 or newer: build camber with that one");
#endif
}

}  // namespace camber
