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

// Device state around a case: clocks, power, temperature, reasons for slow clocks

// NVIDIA Management Library, loaded at run time, so that camber builds and runs without it. It is
// only used to read. Devices are identified by PCI bus id, as returned by cudaDeviceGetPCIBusId(),
// because CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER change CUDA's indices but not NVML's.
class Nvml {
  public:
    // nullopt: the library does not exist or cannot be initialized (no driver).
    static std::optional<Nvml> open(const std::string& path = "libnvidia-ml.so.1");

    Nvml(Nvml&&) noexcept;
    Nvml& operator=(Nvml&&) noexcept;
    ~Nvml();

    // nullopt: NVML does not know the device, or has no permission.
    std::optional<DeviceState> state(const std::string& pci_bus_id) const;

    // True if ECC is currently enabled.
    std::optional<bool> ecc(const std::string& pci_bus_id) const;
    // True if MIG is currently enabled.
    std::optional<bool> mig(const std::string& pci_bus_id) const;
    std::string uuid(const std::string& pci_bus_id) const;  // "" if unavailable
    std::string driver_version() const;                     // "580.65.06"; "" if unavailable

  private:
    class Library;
    explicit Nvml(std::unique_ptr<Library> library);

    std::unique_ptr<Library> library_;
};

// Check that the device kept its speed during a case

// A case is marked if the SM clock falls by more than this fraction within it.
constexpr double clock_fall_limit = 0.02;

// Returns a sentence if the clock fell by more than the limit below an earlier reading of the same
// case; nullopt if it did not, or if fewer than two readings are available. A rising clock is
// accepted: waking up the device is the warm-up's task. Read `before` and `after` while the device
// is busy or has just been: an idle device lowers its clock, independent of the case.
std::optional<std::string> clock_fall(std::optional<std::int64_t> before_hz,
                                      std::span<const std::int64_t> during_hz,
                                      std::optional<std::int64_t> after_hz);

}  // namespace camber
