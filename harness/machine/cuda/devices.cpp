// CUDA implementation of harness/machine/queue/devices.hpp: list of devices, queues on them,
// machine code that was not built with the program, and native handles of queues.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <map>

#include "harness/base/error.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/cuda/sm_partition.hpp"
#include "harness/machine/cuda/stream.hpp"
#include "harness/machine/cuda/stream_kernels.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

namespace {

std::string version_text(int version) {
    return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    cuda::check(cudaDeviceGetAttribute(&value, which, device), "reading the device's attributes");
    return value;
}

}  // namespace

std::vector<DeviceInfo> cuda_devices() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    std::vector<DeviceInfo> devices;
    for (int index = 0; index < count; ++index) {
        cudaDeviceProp properties{};
        cuda::check(cudaGetDeviceProperties(&properties, index), "reading a device's properties");
        DeviceInfo device;
        device.index = index;
        device.name = properties.name;
        device.major = properties.major;
        device.minor = properties.minor;
        device.sm_count = properties.multiProcessorCount;
        device.l2_bytes = properties.l2CacheSize;
        device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
        device.sm_clock_hz = 1000LL * attribute(cudaDevAttrClockRate, index);
        device.memory_clock_hz = 1000LL * attribute(cudaDevAttrMemoryClockRate, index);
        device.ecc = properties.ECCEnabled != 0;
        char bus_id[32] = {};
        cuda::check(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, index), "reading a PCI bus id");
        device.pci_bus_id = bus_id;
        devices.push_back(device);
    }
    return devices;
}

std::string why_no_cuda() {
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess) return count == 0 ? "the CUDA runtime sees no device" : "";
    cudaGetLastError();
    return fmt::format("the CUDA runtime says \"{}\"", cudaGetErrorString(result));
}

CudaVersions cuda_versions() {
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    return {version_text(driver), version_text(runtime)};
}

namespace {

void check_index(int index) {
    const auto devices = cuda_devices();
    if (devices.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("no CUDA device can be used: {}", why_no_cuda()),
                    Remedy::host_backend);
    device_at(devices, index);
}

}  // namespace

std::unique_ptr<Queue> open_cuda(int index, int sms) {
    check_index(index);
    return std::make_unique<cuda::Stream>(index, sms);
}

bool open_peer(int device, int other) {
    int can = 0;
    cuda::check(cudaDeviceCanAccessPeer(&can, device, other),
                "asking whether devices reach each other");
    if (can == 0) return false;
    cuda::check(cudaSetDevice(device), "opening a device");
    const cudaError_t result = cudaDeviceEnablePeerAccess(other, 0);
    if (result == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    else
        cuda::check(result, "letting devices reach each other");
    return true;
}

SmGranularity sm_granularity(int index) {
    check_index(index);
    return cuda::sm_granularity(index);
}

int distinct_multiprocessors(Queue& queue) {
    return cuda::count_distinct_sms(dynamic_cast<cuda::Stream&>(queue).native());
}

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
    // The runtime accepts a kernel handle in place of a function address.
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

NativeQueue::NativeQueue(Queue& queue) {
    if (queue.backend() != Backend::cuda) return;
    stream_ = static_cast<cuda::Stream&>(queue).native();
    queue.limits();  // makes the queue's device current
    cuda::check(cudaGetDevice(&device_), "asking for the device in use");
}

void* NativeQueue::stream() const {
    if (!stream_) return nullptr;
    int current = -1;
    cuda::check(cudaGetDevice(&current), "asking for the device in use");
    // Within a partition, its device is already current, and setting it again would leave the
    // partition.
    if (current != device_) cuda::check(cudaSetDevice(device_), "turning to a device");
    return stream_;
}

}  // namespace camber
