// Memory of a captured launch on the replaying device: at the old addresses if they are free,
// otherwise elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/capture/capture_folder.hpp"
#include "harness/capture/cuda_driver.hpp"

namespace camber::capture {

class PlacedMemory {
  public:
    // Reserves and maps memory for all buffers but variables, which belong to a module. The
    // process's end releases it. `separate`: in allocations of their own, at new addresses, so that
    // a checker of memory knows where each ends. Throws DriverFailure if the device has too little
    // memory.
    PlacedMemory(const CapturedLaunch& launch, CuDevice device, bool separate);

    // Address of each buffer; 0 for a variable.
    const std::vector<CuAddress>& addresses() const { return addresses_; }
    std::uint64_t moved_buffers() const { return moved_; }

  private:
    void place_device(const CapturedLaunch& launch, CuDevice device);
    void place_separately(const CapturedLaunch& launch);
    void place_host(const Buffer& buffer, std::size_t index);

    std::vector<CuAddress> addresses_;
    std::uint64_t moved_ = 0;
};

}  // namespace camber::capture
