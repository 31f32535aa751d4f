#include "harness/machine/environment/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace camber {

// Types, values and signatures of NVML's reference,
// https://docs.nvidia.com/deploy/nvml-api/api/group__nvmlDeviceQueries.html, declared here because
// machines that build camber need not have nvml.h

namespace {

using Status = int;          // nvmlReturn_t
using DeviceHandle = void*;  // nvmlDevice_t
using EnableState = int;     // nvmlEnableState_t: 0 disabled, 1 enabled
constexpr Status success = 0;

enum ClockType : int { sm_clock = 1, memory_clock = 2 };
enum TemperatureSensor : int { gpu_sensor = 0 };

constexpr unsigned mig_enabled = 1;
constexpr unsigned uuid_size = 96;            // NVML_DEVICE_UUID_V2_BUFFER_SIZE
constexpr unsigned driver_version_size = 80;  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE

struct Reason {
    unsigned long long bit;
    const char* words;
};
constexpr std::array<Reason, 9> reasons = {{
    {0x001, "idle"},
    {0x002, "application clocks"},
    {0x004, "software power cap"},
    {0x008, "hardware slowdown"},
    {0x010, "sync boost"},
    {0x020, "software thermal slowdown"},
    {0x040, "hardware thermal slowdown"},
    {0x080, "hardware power brake"},
    {0x100, "display clocks"},
}};

std::vector<std::string> in_words(unsigned long long mask) {
    std::vector<std::string> words;
    for (const Reason& reason : reasons) {
        if (mask & reason.bit) words.emplace_back(reason.words);
        mask &= ~reason.bit;
    }
    // A newer driver may report other reasons; a throttled clock must not look unthrottled.
    if (mask != 0) words.emplace_back("unknown");
    return words;
}

// A function that the library may lack; calling it then fails.
template <class... Arguments>
class Function {
  public:
    void find(void* handle, const char* name) {
        function_ = reinterpret_cast<Status (*)(Arguments...)>(dlsym(handle, name));
    }
    bool present() const { return function_ != nullptr; }
    bool succeeds(Arguments... arguments) const {
        return function_ != nullptr && function_(arguments...) == success;
    }

  private:
    Status (*function_)(Arguments...) = nullptr;
};

}  // namespace

class Nvml::Library {
  public:
    // `handle`: from dlopen; closed on destruction.
    explicit Library(void* handle) : handle_(handle) {
        init.find(handle, "nvmlInit_v2");
        shutdown.find(handle, "nvmlShutdown");
        driver_version.find(handle, "nvmlSystemGetDriverVersion");
        device_by_pci.find(handle, "nvmlDeviceGetHandleByPciBusId_v2");
        uuid.find(handle, "nvmlDeviceGetUUID");
        clock.find(handle, "nvmlDeviceGetClockInfo");
        power.find(handle, "nvmlDeviceGetPowerUsage");
        temperature.find(handle, "nvmlDeviceGetTemperature");
        // R535 renamed the reasons; older drivers have only the former name.
        reasons.find(handle, "nvmlDeviceGetCurrentClocksEventReasons");
        if (!reasons.present()) {
            reasons.find(handle, "nvmlDeviceGetCurrentClocksThrottleReasons");
        }
        ecc_mode.find(handle, "nvmlDeviceGetEccMode");
        mig_mode.find(handle, "nvmlDeviceGetMigMode");
        started_ = init.succeeds();
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (started_) shutdown.succeeds();
        dlclose(handle_);
    }

    bool started() const { return started_; }

    std::optional<DeviceHandle> device(const std::string& pci_bus_id) const {
        DeviceHandle found = nullptr;
        if (!device_by_pci.succeeds(pci_bus_id.c_str(), &found)) return std::nullopt;
        return found;
    }

    std::optional<std::int64_t> clock_hz(DeviceHandle device, ClockType type) const {
        unsigned megahertz = 0;
        if (!clock.succeeds(device, type, &megahertz)) return std::nullopt;
        return std::int64_t{1'000'000} * megahertz;
    }

    Function<> init;
    Function<> shutdown;
    Function<char*, unsigned> driver_version;
    Function<const char*, DeviceHandle*> device_by_pci;
    Function<DeviceHandle, char*, unsigned> uuid;
    Function<DeviceHandle, int, unsigned*> clock;
    Function<DeviceHandle, unsigned*> power;
    Function<DeviceHandle, int, unsigned*> temperature;
    Function<DeviceHandle, unsigned long long*> reasons;
    // Current, and after the next reboot.
    Function<DeviceHandle, EnableState*, EnableState*> ecc_mode;
    Function<DeviceHandle, unsigned*, unsigned*> mig_mode;  // current, and after the next reset

  private:
    void* handle_;
    bool started_ = false;
};

std::optional<Nvml> Nvml::open(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return std::nullopt;
    auto library = std::make_unique<Library>(handle);
    if (!library->started()) return std::nullopt;
    return Nvml(std::move(library));
}

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nvml::Nvml(Nvml&&) noexcept = default;
Nvml& Nvml::operator=(Nvml&&) noexcept = default;
Nvml::~Nvml() = default;

std::optional<DeviceState> Nvml::state(const std::string& pci_bus_id) const {
    const auto device = library_->device(pci_bus_id);
    if (!device) return std::nullopt;
    DeviceState state;
    state.sm_clock_hz = library_->clock_hz(*device, sm_clock);
    state.memory_clock_hz = library_->clock_hz(*device, memory_clock);
    unsigned milliwatts = 0;
    if (library_->power.succeeds(*device, &milliwatts)) state.power_watts = milliwatts / 1000.0;
    unsigned celsius = 0;
    if (library_->temperature.succeeds(*device, gpu_sensor, &celsius)) {
        state.temperature_celsius = celsius;
    }
    unsigned long long mask = 0;
    if (library_->reasons.succeeds(*device, &mask)) state.throttle_reasons = in_words(mask);
    return state;
}

std::optional<bool> Nvml::ecc(const std::string& pci_bus_id) const {
    const auto device = library_->device(pci_bus_id);
    EnableState now = 0;
    EnableState later = 0;
    if (!device || !library_->ecc_mode.succeeds(*device, &now, &later)) return std::nullopt;
    return now != 0;
}

std::optional<bool> Nvml::mig(const std::string& pci_bus_id) const {
    const auto device = library_->device(pci_bus_id);
    unsigned now = 0;
    unsigned later = 0;
    if (!device || !library_->mig_mode.succeeds(*device, &now, &later)) return std::nullopt;
    return now == mig_enabled;
}

std::string Nvml::uuid(const std::string& pci_bus_id) const {
    const auto device = library_->device(pci_bus_id);
    std::array<char, uuid_size> text{};
    if (!device || !library_->uuid.succeeds(*device, text.data(), uuid_size)) return "";
    text.back() = '\0';
    return text.data();
}

std::string Nvml::driver_version() const {
    std::array<char, driver_version_size> text{};
    if (!library_->driver_version.succeeds(text.data(), driver_version_size)) return "";
    text.back() = '\0';
    return text.data();
}

std::optional<std::string> clock_fall(std::optional<std::int64_t> before_hz,
                                      std::span<const std::int64_t> during_hz,
                                      std::optional<std::int64_t> after_hz) {
    std::vector<std::int64_t> readings;
    if (before_hz) readings.push_back(*before_hz);
    readings.insert(readings.end(), during_hz.begin(), during_hz.end());
    if (after_hz) readings.push_back(*after_hz);

    std::int64_t peak = 0;  // highest frequency so far
    std::int64_t from = 0;
    std::int64_t to = 0;
    double deepest = 0;
    for (const std::int64_t clock : readings) {
        peak = std::max(peak, clock);
        if (peak <= 0) continue;
        const double fall = static_cast<double>(peak - clock) / static_cast<double>(peak);
        if (fall > deepest) {
            deepest = fall;
            from = peak;
            to = clock;
        }
    }
    if (deepest <= clock_fall_limit) return std::nullopt;
    return fmt::format(
        "the SM clock fell by {:.1f} % during the case, from {} MHz to {} MHz; its times mix "
        "speeds",
        100 * deepest, from / 1'000'000, to / 1'000'000);
}

}  // namespace camber
