// Shared library that computes the correct results of an array problem on the CPU
// (include/camber/reference.h).
#pragma once

#include <filesystem>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

class ReferenceLibrary {
  public:
    // Throws Error(usage) if the file is no such library.
    explicit ReferenceLibrary(const std::filesystem::path& path);
    ~ReferenceLibrary();
    ReferenceLibrary(const ReferenceLibrary&) = delete;
    ReferenceLibrary& operator=(const ReferenceLibrary&) = delete;

    // Runs the function on the arrays of `state`. Throws Error(wrong_result) if it fails.
    void compute(const std::vector<NamedArray>& arrays, State& state) const;

  private:
    std::filesystem::path path_;
    void* handle_ = nullptr;
    void* function_ = nullptr;
};

}  // namespace camber
