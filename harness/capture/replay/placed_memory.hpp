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
    // process's end releases it. Throws DriverFailure if the device has too little memory.
    PlacedMemory(const CapturedLaunch& launch, CuDevice device);

    // Address of each buffer; 0 for a variable.
    const std::vector<CuAddress>& addresses() const { return addresses_; }
    std::uint64_t moved_buffers() const { return moved_; }

  private:
    void place_device(const CapturedLaunch& launch, CuDevice device);
    void place_host(const Buffer& buffer, std::size_t index);

    std::vector<CuAddress> addresses_;
    std::uint64_t moved_ = 0;
};

}  // namespace camber::capture
