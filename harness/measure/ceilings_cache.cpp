#include "harness/measure/ceilings_cache.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "harness/machine/environment/nvml.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

// Grows when limits are measured in another way.
constexpr int suite = 1;

std::string cache_name(const std::string& uuid, const std::string& driver) {
    if (uuid.empty() || driver.empty()) return "";
    return fmt::format("limits-{}-{}-{}", suite, CacheFolder::part(uuid),
                       CacheFolder::part(driver));
}

std::string cache_name(const DeviceInfo& device) {
    const std::optional<Nvml> nvml = Nvml::open();
    return nvml ? cache_name(nvml->uuid(device.pci_bus_id), nvml->driver_version()) : "";
}

}  // namespace

CeilingsCache::CeilingsCache(const DeviceInfo& device, CacheFolder folder)
    : folder_(std::move(folder)), name_(cache_name(device)) {}

CeilingsCache::CeilingsCache(const std::string& uuid, const std::string& driver, CacheFolder folder)
    : folder_(std::move(folder)), name_(cache_name(uuid, driver)) {}

std::optional<Ceilings> CeilingsCache::read() const {
    if (name_.empty()) return std::nullopt;
    const auto text = folder_.read(name_);
    if (!text) return std::nullopt;
    try {
        const auto kept = results::parse_document(*text, name_).ceilings;
        const bool whole = kept && kept->copy_bytes_per_second && kept->measured;
        return whole ? kept : std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void CeilingsCache::write(const Ceilings& ceilings) const {
    if (name_.empty()) return;
    results::Document document;
    document.ceilings = ceilings;
    folder_.write(name_, results::to_text(document));
}

Ceilings limits_of(const DeviceInfo& device, bool fresh, const std::function<Ceilings()>& measure) {
    const CeilingsCache cache(device, CacheFolder::of_user());
    if (!fresh)
        if (auto kept = cache.read()) return *kept;
    Ceilings measured = measure();
    cache.write(measured);
    return measured;
}

}  // namespace camber
