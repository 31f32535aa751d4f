// Partition of a device's SMs as a separate device: a green context (CUDA Driver API, "Green
// Contexts", CUDA 12.4 and later). DRAM and L2 are not divided. Also the number of blocks of a
// kernel that fit on the SMs in use.
#pragma once

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber::cuda {

// Partition of a device's SMs as a separate device: a green context. During its lifetime, the
// calling thread's CUDA calls act on the partition: work that it creates and launches runs on these
// SMs only.
class SmPartition {
  public:
    // Makes the smallest partition of at least `sms` SMs that the device allows. Throws
    // Error(unavailable) if the driver does not support partitions, and Error(usage) if the device
    // has fewer SMs.
    SmPartition(int device, int sms);
    ~SmPartition();
    SmPartition(const SmPartition&) = delete;
    SmPartition& operator=(const SmPartition&) = delete;

  private:
    int device_;
    void* context_ = nullptr;  // a CUgreenCtx
};

SmGranularity sm_granularity(int device);  // throws like SmPartition

// Number of blocks of a kernel that fit at once on all SMs of the calling thread's device, or of
// the partition that the thread has entered. Only the block size and dynamic shared memory of
// `shape` matter. Throws Error(unavailable) if CUDA fails.
int resident_blocks(const void* kernel, const LaunchShape& shape);

}  // namespace camber::cuda
