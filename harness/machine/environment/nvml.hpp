// Device state around a case from NVML: clocks, power, temperature, reasons for slow clocks, and a
// check that the SM clock did not fall during the case.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/record/conditions.hpp"

namespace camber {

// What the device says of itself around a case: clocks, power, temperature, reasons for slow
// clocks.

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

// Whether the device kept its speed during a case.

// The SM clock may fall by this share within a case before the case is marked.
constexpr double clock_fall_limit = 0.02;

// A sentence where the clock fell by more than the limit below an earlier reading of the same case,
// nullopt where it did not or where fewer than two readings are known. A rise is no fall: a device
// that wakes up is the warm-up's affair. Read `before` and `after` while the device is busy or has
// just been: an idle device lowers its clock, which says nothing of the case.
std::optional<std::string> clock_fall(std::optional<std::int64_t> before_hz,
                                      std::span<const std::int64_t> during_hz,
                                      std::optional<std::int64_t> after_hz);

}  // namespace camber
