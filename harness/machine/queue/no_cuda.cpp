// Replaces harness/machine/cuda in builds without CUDA.
#include "harness/base/error.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber {

std::vector<DeviceInfo> cuda_devices() {
    return {};
}

std::string why_no_cuda() {
    return "this camber was built without CUDA";
}

CudaVersions cuda_versions() {
    return {};
}

namespace {

[[noreturn]] void refuse() {
    throw Error(ExitCode::unavailable,
                "no CUDA device can be used: this camber was built without CUDA; install the CUDA "
                "Toolkit (nvcc) on a machine with a GPU and run ./camber again",
                Remedy::host_backend);
}

}  // namespace

std::unique_ptr<Queue> open_cuda(int, int) {
    refuse();
}

bool open_peer(int, int) {
    return false;
}

SmGranularity sm_granularity(int) {
    refuse();
}

int distinct_multiprocessors(Queue&) {
    refuse();
}

std::string why_no_nccl() {
    return why_no_cuda();
}

std::unique_ptr<DeviceMessages> open_nccl(std::span<const int>) {
    refuse();
}

std::unique_ptr<DeviceLibrary> load_device_library(std::string_view) {
    refuse();
}

NativeQueue::NativeQueue(Queue&) {}
void* NativeQueue::stream() const {
    return stream_;
}

}  // namespace camber
