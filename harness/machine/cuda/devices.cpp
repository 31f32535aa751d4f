#include "harness/machine/queue/devices.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/machine/cuda/check.hpp"
#include "harness/machine/cuda/sm_ids.hpp"
#include "harness/machine/cuda/sm_partition.hpp"
#include "harness/machine/cuda/stream.hpp"

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

}  // namespace camber
