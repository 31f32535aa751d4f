// Machine code of the modules that the program loads.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/capture/packed_file.hpp"

namespace camber::capture {

class Modules {
  public:
    // Keeps modules with a kernel for which `wanted` returns true.
    explicit Modules(std::function<bool(const std::string&)> wanted) : wanted_(std::move(wanted)) {}

    void add(std::string_view image);

    // Returns the module loaded last that contains the kernel, or nullptr.
    const ByteVector* with_kernel(const std::string& kernel) const;

  private:
    struct Module {
        std::vector<std::string> kernels;
        ByteVector image;
    };
    std::function<bool(const std::string&)> wanted_;
    mutable std::mutex mutex_;
    std::deque<Module> modules_;  // addresses are stable
};

// Names of the __device__ and __constant__ variables of a cubin.
std::vector<std::string> variables_in(const ByteVector& cubin);

}  // namespace camber::capture
