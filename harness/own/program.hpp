// A file's kernels, compiled and checked: what stages launch.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/queue/devices.hpp"
#include "harness/own/argument_values.hpp"
#include "harness/own/binding.hpp"
#include "harness/own/device/device_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

struct CandidateOptions {
    // How long a block may run on the executor before the launch is ended.
    std::chrono::duration<double> limit{20};
    CacheFolder cache = CacheFolder::of_user();
    // Of a GPU to compile for at once, 10 * major + minor; 0: when it is first launched on one.
    int compute_capability = 0;
    Settings settings = {};
};

// Tells apart what is made of a file: its name, with the settings.
std::string origin_of(const std::filesystem::path& path, const Settings& settings);

class CandidateProgram {
  public:
    // Compiles the file for the host. Throws Error(usage) for what is wrong with it,
    // Error(unavailable) where there is no C++ compiler.
    CandidateProgram(const std::filesystem::path& path, const Workload& workload, ElementType cell,
                     CandidateOptions options);

    const CandidateSource& source() const { return source_; }
    const Workload& workload() const { return workload_; }
    const std::vector<BoundKernel>& kernels() const { return kernels_; }
    const ParameterTypes& types(std::size_t kernel) const { return types_[kernel]; }
    const HostLibrary& host() const { return host_; }
    const CandidateOptions& options() const { return options_; }
    // The number, in host(), of the kernel that fills the halo of fields of such elements.
    std::size_t torus_kernel(int element_bytes) const;

    // For a device of that compute capability, 10 * major + minor, compiled and loaded at the first
    // call. Throws Error(usage) where the file does not compile, Error(unavailable) where there is
    // no compiler.
    DeviceLibrary& device(int compute_capability);
    // By number, as in host().
    const std::string& device_symbol(std::size_t kernel) const { return symbols_[kernel]; }

    // What tables call it: the file's name, in which other characters than letters, digits, '.',
    // '_' and '-' are '_'.
    const std::string& name() const { return name_; }
    const std::string& summary() const { return summary_; }
    const std::string& path() const { return path_; }
    const std::string& origin() const { return origin_; }

  private:
    const DeviceBuild& build_for(int compute_capability);

    std::string path_;
    std::string origin_;
    CandidateSource source_;
    const Workload& workload_;
    CandidateOptions options_;
    std::string name_;
    std::string summary_;
    std::vector<BoundKernel> kernels_;
    HostLibrary host_;
    std::vector<ParameterTypes> types_;
    std::vector<std::string> symbols_;
    std::map<int, DeviceBuild> builds_;
    std::map<int, std::unique_ptr<DeviceLibrary>> devices_;
};

}  // namespace camber
