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

// Properties of a CUDA device, for code that is compiled without CUDA.
struct DeviceInfo {
    int index = 0;
    std::string name;
    int major = 0;  // compute capability
    int minor = 0;
    int sm_count = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t sm_clock_hz = 0;      // maximum clock
    std::int64_t memory_clock_hz = 0;  // maximum clock
    bool ecc = false;
    std::string pci_bus_id;  // "0000:01:00.0": the device's name in NVML
};

struct CudaVersions {
    std::string driver;   // newest CUDA release that the driver supports, e.g. "13.0"
    std::string runtime;  // release of the runtime that this program is linked with
};

// Devices of this machine; empty if none can be used, with the reason in why_no_cuda().
std::vector<DeviceInfo> cuda_devices();
std::string why_no_cuda();
// Returns the device with this index. Throws Error(usage) if the index is invalid, and
// Error(unavailable) if there is no device at all.
const DeviceInfo& device_at(const std::vector<DeviceInfo>& devices, int index);
CudaVersions cuda_versions();  // empty strings if there is no CUDA

// Opens a queue on device `index`. `sms`: 0 for the whole device, else a partition of at least that
// many SMs, on which all of the queue's work runs (DRAM and L2 are not partitioned); only one such
// queue can exist at a time. Throws Error(unavailable) if the device does not exist or cannot be
// used or divided.
std::unique_ptr<Queue> open_cuda(int index, int sms = 0);

// Enables work on `device` to read and write the memory of `other`. Returns false if the machine
// does not support it.
bool open_peer(int device, int other);

// Smallest SM partition, and the step by which partitions grow. sm_granularity() throws like
// open_cuda().
struct SmGranularity {
    int smallest = 0;
    int step = 0;
};
SmGranularity sm_granularity(int index);

// Number of distinct SMs on which the blocks of a large launch ran, as reported by the blocks.
int distinct_multiprocessors(Queue& queue);

// Messages between devices by the NCCL library.
class DeviceMessages {
  public:
    // Bytes that a device sends to another one or receives from it, in queue order. Between two
    // devices, messages are received in the order in which they are sent.
    struct Message {
        int place = 0;
        int other = 0;
        bool sent = false;
        void* bytes = nullptr;
        std::size_t count = 0;
        Queue* queue = nullptr;  // queue of device `place`
    };

    virtual ~DeviceMessages() = default;
    // Enqueues all messages at once; they must include both ends of each message.
    virtual void exchange(std::span<const Message> messages) = 0;
};

// Reason why NCCL cannot be used; "" if it can.
std::string why_no_nccl();
// Opens messages between these devices, which must be distinct. Throws Error(unavailable) if NCCL
// cannot be used.
std::unique_ptr<DeviceMessages> open_nccl(std::span<const int> devices);

// A queue as seen by foreign code that was not compiled with camber.
class NativeQueue {
  public:
    explicit NativeQueue(Queue& queue);

    // The queue's cudaStream_t; makes its device current for the calling thread. nullptr if the
    // queue uses host memory.
    void* stream() const;

  private:
    void* stream_ = nullptr;
    int device_ = 0;
};

// Kernels' machine code that was not built with the program, loaded onto the current device

// A texture object on the device, with the lifetime of this object.
class DeviceTexture {
  public:
    virtual ~DeviceTexture() = default;
    virtual unsigned long long handle() const = 0;
};

class DeviceLibrary {
  public:
    virtual ~DeviceLibrary() = default;
    // Launches the kernel `symbol`, reported as `name` in facts and timelines. `queue` must belong
    // to the cuda backend; `arguments` points to a pointer for each kernel argument.
    virtual void launch(Queue& queue, const std::string& symbol, const char* name,
                        const LaunchShape& shape, void** arguments) = 0;
    // Number of blocks of the kernel that the device can run at once.
    virtual int resident_blocks(const std::string& symbol, const LaunchShape& shape) = 0;
    // Address of a device variable of the library, which must have at least `bytes` bytes.
    virtual void* variable(const std::string& symbol, std::size_t bytes) = 0;
    // Makes a texture of a field without a halo that begins at `base`.
    virtual std::unique_ptr<DeviceTexture> texture(const void* base, ElementType element,
                                                   const Layout& layout, TextureShape shape) = 0;
};

// `image`: a cubin. Throws Error(unavailable) if it cannot be loaded, and in a program without
// CUDA.
std::unique_ptr<DeviceLibrary> load_device_library(std::string_view image);

}  // namespace camber
