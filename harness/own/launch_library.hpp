// Variant made from a user's own shared library that launches its kernels itself (camber/launch.h).
// It runs on GPUs only.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "harness/own/source/directive.hpp"
#include "harness/registry/registry.hpp"
#include "include/camber/launch.h"
#include "workloads/core/workload.hpp"

namespace camber {

// Returns true for the file name NAME.so.
bool is_launch_library(const std::filesystem::path& path);

class LaunchLibrary {
  public:
    // Loads the library. Throws Error(usage) if it cannot be loaded, lacks a required symbol,
    // implements another version of the interface, or has an invalid line.
    explicit LaunchLibrary(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    // Contains exactly one kernel.
    const Directives& directives() const { return directives_; }

    // Throws Error(unavailable) if the library's function returns a nonzero value.
    void launch(std::span<const CamberArgument> arguments, void* stream) const;

  private:
    void* find(const char* symbol) const;

    std::filesystem::path path_;
    std::unique_ptr<void, int (*)(void*)> handle_;
    int (*launch_)(const CamberLaunch*) = nullptr;
    Directives directives_;
};

// Makes a variant from the library's launch function. Throws Error(usage) if the library is invalid
// or does not fit the workload.
Variant library_variant(const std::filesystem::path& path, const Workload& workload,
                        ElementType cell);

}  // namespace camber
