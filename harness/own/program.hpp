// Program of a candidate's file: its kernels, compiled and checked against their `camber:` lines,
// and argument values in the types of the kernels' parameters. Stages launch these kernels.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/queue/devices.hpp"
#include "harness/own/binding.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/host/interface.h"
#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// Parameter types as reported by the compiler.
using ParameterTypes = std::vector<CamberParameter>;

// Throws Error(usage) with the source location if the arguments differ from the parameters in
// number or type. `written_types`: the parameters' types as written in the file; may be empty.
// `supply`: the fields or arrays of the arguments.
void check_types(const BoundKernel& kernel, const ParameterTypes& types,
                 const std::vector<std::string>& written_types, const Supply& supply,
                 const std::string& file);

class ArgumentValues {
  public:
    void add_pointer(void* value) { add_bytes(&value, sizeof value); }
    // Appends `value` converted to `type`, a number type.
    void add_number(double value, const CamberType& type);
    // Pointers to the values, as kernel launches expect them.
    void** pointers() { return pointers_.data(); }
    std::size_t size() const { return values_.size(); }

  private:
    struct Value {
        alignas(8) std::byte bytes[8];
    };
    void add_bytes(const void* bytes, std::size_t size);

    std::deque<Value> values_;
    std::vector<void*> pointers_;
};

// Writes a number in the representation of that type.
void put_number(void* to, double value, const CamberType& type);

// Options for compiling and running a candidate's file.
struct CandidateOptions {
    // Time limit of a block on the executor, after which the launch is ended.
    std::chrono::duration<double> limit{20};
    CacheFolder cache = CacheFolder::of_user();
    // Compute capability (10 * major + minor) to compile for immediately; 0: compile at the first
    // launch.
    int compute_capability = 0;
    Settings settings = {};
};

// Identifies what is built from a file: its name and the settings.
std::string origin_of(const std::filesystem::path& path, const Settings& settings);

class CandidateProgram {
  public:
    // Compiles the file for the host. Throws Error(usage) if the file is invalid, and
    // Error(unavailable) if there is no C++ compiler.
    CandidateProgram(const std::filesystem::path& path, const Workload& workload, ElementType cell,
                     CandidateOptions options);

    const CandidateSource& source() const { return source_; }
    const Workload& workload() const { return workload_; }
    const std::vector<BoundKernel>& kernels() const { return kernels_; }
    // Arrays of an array problem and of the file itself; empty for a board.
    const std::vector<NamedArray>& arrays() const { return supply_.arrays; }
    // Named numbers of an array problem.
    const std::map<std::string, ExpressionValue, std::less<>>& words() const {
        return supply_.words;
    }
    const ParameterTypes& types(std::size_t kernel) const { return types_[kernel]; }
    const HostLibrary& host() const { return host_; }
    const CandidateOptions& options() const { return options_; }
    // Index in host() of the kernel that fills the halo of fields with elements of that size.
    std::size_t torus_kernel(int element_bytes) const;

    // Kernels for a device of that compute capability (10 * major + minor), compiled and loaded at
    // the first call. Throws Error(usage) if the file does not compile, and Error(unavailable) if
    // there is no compiler.
    DeviceLibrary& device(int compute_capability);
    // By kernel index, as in host().
    const std::string& device_symbol(std::size_t kernel) const { return symbols_[kernel]; }

    // Name in tables: the file's name, with characters other than letters, digits, '.', '_' and '-'
    // replaced by '_'.
    const std::string& name() const { return name_; }
    const std::string& summary() const { return summary_; }
    const std::string& path() const { return path_; }
    const std::string& origin() const { return origin_; }

  private:
    void check_constants() const;
    const DeviceBuild& build_for(int compute_capability);

    std::string path_;
    std::string origin_;
    CandidateSource source_;
    const Workload& workload_;
    CandidateOptions options_;
    std::string name_;
    std::string summary_;
    Supply supply_;
    std::vector<BoundKernel> kernels_;
    HostLibrary host_;
    std::vector<ParameterTypes> types_;
    std::vector<std::string> symbols_;
    std::map<int, DeviceBuild> builds_;
    std::map<int, std::unique_ptr<DeviceLibrary>> devices_;
};

}  // namespace camber
