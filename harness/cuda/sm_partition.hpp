// A part of a device's multiprocessors as a device of its own: a green context (CUDA Driver API,
// "Green Contexts", CUDA 12.4 and later). DRAM and L2 are not divided.
#pragma once

namespace camber::cuda {

// While it lives, the calling thread's CUDA calls act on the partition: what it creates and
// launches runs on these multiprocessors only.
class SmPartition {
  public:
    // The smallest partition of at least `sms` multiprocessors that the device allows. Throws
    // Error(unavailable) where the driver knows no partitions, Error(usage) where the device has
    // fewer multiprocessors.
    SmPartition(int device, int sms);
    ~SmPartition();
    SmPartition(const SmPartition&) = delete;
    SmPartition& operator=(const SmPartition&) = delete;

    // As the driver states it.
    int sm_count() const { return sm_count_; }

  private:
    int device_;
    int sm_count_ = 0;
    void* context_ = nullptr;  // a CUgreenCtx
};

// The fewest multiprocessors that can form a partition, and the step between possible numbers.
struct SmGranularity {
    int smallest = 0;
    int step = 0;
};
SmGranularity sm_granularity(int device);  // throws as SmPartition does

}  // namespace camber::cuda
