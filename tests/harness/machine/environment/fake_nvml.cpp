// Replaces NVML in tests. The device 0000:01:00.0 answers every query, 0000:02:00.0 answers "not
// supported" to every query, 0000:03:00.0 has other modes and reports reasons that no driver
// reports today; other devices do not exist.
//
// With FAKE_NVML_BARE, only initialization, shutdown and device look-up exist. With FAKE_NVML_OLD,
// the throttle reasons have only their former name. With FAKE_NVML_FAILS, initialization fails, as
// on a machine without the driver.
#include <cstring>

namespace {

constexpr int success = 0;
constexpr int not_supported = 3;
constexpr int not_found = 6;
[[maybe_unused]] constexpr int insufficient_size = 7;
[[maybe_unused]] constexpr int driver_not_loaded = 9;

int talkative = 0;
int silent = 0;
int odd = 0;

}  // namespace

extern "C" {

int nvmlInit_v2() {
#ifdef FAKE_NVML_FAILS
    return driver_not_loaded;
#else
    return success;
#endif
}

int nvmlShutdown() {
    return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* pci_bus_id, void** device) {
    if (std::strcmp(pci_bus_id, "0000:01:00.0") == 0) {
        *device = &talkative;
    } else if (std::strcmp(pci_bus_id, "0000:02:00.0") == 0) {
        *device = &silent;
    } else if (std::strcmp(pci_bus_id, "0000:03:00.0") == 0) {
        *device = &odd;
    } else {
        return not_found;
    }
    return success;
}

#ifndef FAKE_NVML_BARE

int nvmlSystemGetDriverVersion(char* version, unsigned length) {
    constexpr char text[] = "580.65.06";
    if (length < sizeof text) return insufficient_size;
    std::memcpy(version, text, sizeof text);
    return success;
}

// Writes a value although it fails; the caller must ignore it.
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
    constexpr char text[] = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    if (length < sizeof text) return insufficient_size;
    std::memcpy(uuid, text, sizeof text);
    return device == &silent ? not_supported : success;
}

int nvmlDeviceGetClockInfo(void* device, int type, unsigned* megahertz) {
    *megahertz = type == 1 ? 1980 : type == 2 ? 3201 : 0;
    return device == &silent ? not_supported : success;
}

int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
    *milliwatts = 123456;
    return device == &silent ? not_supported : success;
}

int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
    *celsius = 41;
    return device == &silent || sensor != 0 ? not_supported : success;
}

    #ifdef FAKE_NVML_OLD
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* mask) {
    #else
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* mask) {
    #endif
    *mask = device == &odd ? 0x80000000001ff : 0x5;
    return device == &silent ? not_supported : success;
}

int nvmlDeviceGetEccMode(void* device, int* now, int* later) {
    *now = device == &odd ? 0 : 1;
    *later = 1 - *now;
    return device == &silent ? not_supported : success;
}

int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* later) {
    *now = device == &odd ? 1 : 0;
    *later = 1 - *now;
    return device == &silent ? not_supported : success;
}

#endif

}  // extern "C"
