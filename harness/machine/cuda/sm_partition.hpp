// Partition of a device's SMs as a separate device: a green context (CUDA Driver API, "Green
// Contexts", CUDA 12.4 and later). DRAM and L2 are not divided. Also the number of blocks of a
// kernel that fit on the SMs in use.
#pragma once

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber::cuda {

// Partition of a device's SMs as a separate device: a green context (CUDA Driver API, "Green
// Contexts", CUDA 12.4 and later). DRAM and L2 are not divided.

// While it lives, the calling thread's CUDA calls act on the partition: what it creates and
// launches runs on these SMs only.
class SmPartition {
  public:
    // The smallest partition of at least `sms` SMs that the device allows. Throws
    // Error(unavailable) where the driver knows no partitions, Error(usage) where the device has
    // fewer SMs.
    SmPartition(int device, int sms);
    ~SmPartition();
    SmPartition(const SmPartition&) = delete;
    SmPartition& operator=(const SmPartition&) = delete;

  private:
    int device_;
    void* context_ = nullptr;  // a CUgreenCtx
};

SmGranularity sm_granularity(int device);  // throws as SmPartition does

// Number of blocks of a kernel that fit on all SMs in use at once.

// On the calling thread's device, or on the partition of it that the thread has entered. Of `shape`
// block and dynamic shared memory count. Throws Error(unavailable) where CUDA fails.
int resident_blocks(const void* kernel, const LaunchShape& shape);

}  // namespace camber::cuda
