// Kernels of the fake driver: functions of the host that find memory as a kernel does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "harness/capture/cuda_driver.hpp"

inline constexpr camber::capture::CuResult illegal_address = 700;

struct FakeModule {
    std::string image;
    std::map<std::string, std::vector<unsigned char>> variables;
    bool loaded = false;
};

// Arguments of a running kernel.
class Arguments {
  public:
    Arguments(void** values, FakeModule& module, const camber::capture::CuLaunchConfig& config)
        : config(config), module_(module), values_(values) {}

    template <class T>
    T at(std::size_t index) const {
        T value;
        std::memcpy(&value, values_[index], sizeof value);
        return value;
    }
    unsigned char* variable(const std::string& name) const;

    const camber::capture::CuLaunchConfig& config;

  private:
    FakeModule& module_;
    void** values_;
};

// Returns an error of the device.
using Body = camber::capture::CuResult (*)(const Arguments&);

struct Kernel {
    std::vector<std::size_t> parameter_bytes;
    Body body;
    std::uint64_t nanoseconds = 10000;
};

// By symbol, as in a cubin: _Z5scalePKfPfi is scale(float const*, float*, int).
const std::map<std::string, Kernel>& kernels();

// True if all bytes are in an allocation. Defined by the driver.
bool is_valid(std::uint64_t address, std::size_t bytes);
