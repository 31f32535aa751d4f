#include "harness/capture/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber::capture {

namespace {

constexpr int oldest_driver = 12040;

Driver load_driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw Error(ExitCode::unavailable,
                    "a captured launch needs a GPU and its driver, and libcuda.so.1 cannot be "
                    "loaded: use a machine with an NVIDIA GPU");
    Driver found;
    const char* missing = nullptr;
#define CAMBER_FIND_FUNCTION(symbol, name, parameters)                            \
    found.name = reinterpret_cast<decltype(found.name)>(dlsym(library, #symbol)); \
    if (found.name == nullptr) missing = #symbol;
    CAMBER_DRIVER_FUNCTIONS(CAMBER_FIND_FUNCTION)
#undef CAMBER_FIND_FUNCTION
    int version = 0;
    if (found.driver_version != nullptr) found.driver_version(&version);
    if (version < oldest_driver || missing != nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("the GPU driver supports CUDA {}.{}{}, and captures need 12.4 or "
                                "newer: update the driver",
                                version / 1000, version % 1000 / 10,
                                version < oldest_driver || missing == nullptr
                                    ? std::string()
                                    : fmt::format(" without {}", missing)));
    return found;
}

}  // namespace

std::string Driver::described(CuResult error) const {
    const char* name = nullptr;
    if (error_name == nullptr || error_name(error, &name) != cu_success || name == nullptr)
        name = "error";
    return fmt::format("{} ({})", name, error);
}

const Driver& driver() {
    static const Driver loaded = load_driver();
    return loaded;
}

std::string driver_defect() {
    try {
        driver();
    } catch (const Error& error) {
        if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr) return error.what();
    }
    return "";
}

std::string DriverFailure::sentence() const {
    return fmt::format("the driver failed while {}: {}", action, driver().described(error));
}

}  // namespace camber::capture
