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

// A shared library of a user's own that launches its kernels itself (camber/launch.h).

// By its name: NAME.so.
bool is_launch_library(const std::filesystem::path& path);

class LaunchLibrary {
  public:
    // Loads the library. Throws Error(usage) where it cannot be loaded, does not export what it
    // must, is of another version of the interface, or has a line that cannot be meant.
    explicit LaunchLibrary(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    // With one kernel.
    const Directives& directives() const { return directives_; }

    // Throws Error(unavailable) where the library's function does not return 0.
    void launch(std::span<const CamberArgument> arguments, void* stream) const;

  private:
    void* find(const char* symbol) const;

    std::filesystem::path path_;
    std::unique_ptr<void, int (*)(void*)> handle_;
    int (*launch_)(const CamberLaunch*) = nullptr;
    Directives directives_;
};

// A library's launch function as a variant like any other, on a GPU alone.

// Throws Error(usage) for what is wrong with the library, or does not go with the workload.
Variant library_variant(const std::filesystem::path& path, const Workload& workload,
                        ElementType cell);

}  // namespace camber
