// The CUDA devices of this machine, for code that knows nothing of CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/queue/queue.hpp"

namespace camber {

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

}  // namespace camber
