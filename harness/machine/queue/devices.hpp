// CUDA for code that is compiled without it: devices and queues on them, NCCL messages between
// devices, native stream handles, and machine code loaded at run time. In builds without CUDA,
// no_cuda.cpp implements these functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// The CUDA devices of this machine, for code that knows nothing of CUDA.
struct DeviceInfo {
    int index = 0;
    std::string name;
    int major = 0;  // compute capability
    int minor = 0;
    int sm_count = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t sm_clock_hz = 0;      // the most the device may run at
    std::int64_t memory_clock_hz = 0;  // the same
    bool ecc = false;
    std::string pci_bus_id;  // "0000:01:00.0": the name that NVML knows it by
};

struct CudaVersions {
    std::string driver;   // the newest CUDA release the driver supports, e.g. "13.0"
    std::string runtime;  // the runtime this program is linked with
};

// Empty where no device can be used; why_no_cuda() then says why.
std::vector<DeviceInfo> cuda_devices();
std::string why_no_cuda();
// The device of that index. Throws Error(usage) where there is none, and Error(unavailable) where
// there is no device at all.
const DeviceInfo& device_at(const std::vector<DeviceInfo>& devices, int index);
CudaVersions cuda_versions();  // empty strings where there is none

// `sms`: 0 for the whole device, else a partition of at least that many multiprocessors, on which
// all of the queue's work runs (DRAM and L2 stay whole); one such queue at a time. Throws
// Error(unavailable) where the device does not exist or cannot be used or divided.
std::unique_ptr<Queue> open_cuda(int index, int sms = 0);

// Lets what runs on `device` read and write the memory of `other`. False where the machine cannot.
bool open_peer(int device, int other);

// The fewest multiprocessors that form a partition; partitions grow by steps. Throws as
// open_cuda().
struct SmGranularity {
    int smallest = 0;
    int step = 0;
};
SmGranularity sm_granularity(int index);

// The distinct multiprocessors on which the blocks of a large launch ran, by their own word.
int distinct_multiprocessors(Queue& queue);

// Messages between devices by a library: NCCL.
class DeviceMessages {
  public:
    // Bytes that a place sends to another one or gets of it, once its queue comes to them. Of a
    // pair of places the first to be sent is the first to be received.
    struct Message {
        int place = 0;
        int other = 0;
        bool sent = false;
        void* bytes = nullptr;
        std::size_t count = 0;
        Queue* queue = nullptr;  // of the place
    };

    virtual ~DeviceMessages() = default;
    // Enqueues all of them at once: both ends of each.
    virtual void exchange(std::span<const Message> messages) = 0;
};

// Empty where NCCL can be used.
std::string why_no_nccl();
// Between places that have these devices, no two of them the same. Throws Error(unavailable) where
// NCCL cannot be used.
std::unique_ptr<DeviceMessages> open_nccl(std::span<const int> devices);

// A queue as code of others sees it that was not compiled with camber.
class NativeQueue {
  public:
    explicit NativeQueue(Queue& queue);

    // Its cudaStream_t, on whose device the calling thread works from now on; nullptr where the
    // queue's memory is the host's.
    void* stream() const;

  private:
    void* stream_ = nullptr;
    int device_ = 0;
};

// Machine code of kernels that was not built with the program, loaded onto the device in use.

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
