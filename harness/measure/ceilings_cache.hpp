// Limits of devices that were measured before.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/base/cache_folder.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// Keeps the limits of a card under its driver.
class CeilingsCache {
  public:
    // Keeps nothing where the driver does not tell the card's UUID.
    CeilingsCache(const DeviceInfo& device, CacheFolder folder);
    CeilingsCache(const std::string& uuid, const std::string& driver, CacheFolder folder);

    // nullopt: not measured yet, or not to be read.
    std::optional<Ceilings> read() const;
    void write(const Ceilings& ceilings) const;

  private:
    CacheFolder folder_;
    std::string name_;  // "": none
};

// The limits that are kept of this card and its driver, or, where there are none or `fresh` ones
// are wanted, what `measure` returns, which is then kept for the next run.
Ceilings limits_of(const DeviceInfo& device, bool fresh, const std::function<Ceilings()>& measure);

}  // namespace camber
