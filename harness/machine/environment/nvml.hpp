// What the device says of itself around a case: clocks, power, temperature, reasons for slow
// clocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/conditions.hpp"

namespace camber {

// The NVIDIA Management Library, found at run time, so that camber builds and runs without it. It
// reads and never sets anything. Devices go by PCI bus id, as cudaDeviceGetPCIBusId() gives it,
// because CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER change CUDA's indices but not NVML's.
class Nvml {
  public:
    // nullopt: the library is not there or does not start (no driver).
    static std::optional<Nvml> open(const std::string& path = "libnvidia-ml.so.1");

    Nvml(Nvml&&) noexcept;
    Nvml& operator=(Nvml&&) noexcept;
    ~Nvml();

    // nullopt: NVML knows no such device, or may not show it.
    std::optional<DeviceState> state(const std::string& pci_bus_id) const;

    std::optional<bool> ecc(const std::string& pci_bus_id) const;  // whether it is in force now
    std::optional<bool> mig(const std::string& pci_bus_id) const;  // the same
    std::string uuid(const std::string& pci_bus_id) const;         // "" where unknown
    std::string driver_version() const;                            // the same; "580.65.06"

  private:
    class Library;
    explicit Nvml(std::unique_ptr<Library> library);

    std::unique_ptr<Library> library_;
};

}  // namespace camber
