// Partition of a device's SMs as a separate device: a green context (CUDA Driver API, "Green
// Contexts", CUDA 12.4 and later). DRAM and L2 are not divided.
#pragma once

#include "harness/machine/queue/devices.hpp"

namespace camber::cuda {

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

}  // namespace camber::cuda
