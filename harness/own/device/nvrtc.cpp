#include "harness/own/device/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {

namespace {

using Program = struct NvrtcProgram*;
using Status = int;  // nvrtcResult
constexpr Status success = 0;
constexpr Status compilation_failed = 6;

void check(Status status, const char* action) {
    if (status != success)
        throw Error(ExitCode::unavailable,
                    fmt::format("NVRTC failed while {} (error {}): repair the CUDA Toolkit", action,
                                status));
}

}  // namespace

std::optional<Nvrtc> Nvrtc::find() {
    std::vector<std::string> names{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const root = std::getenv(variable))
            names.push_back(std::string(root) + "/lib64/libnvrtc.so");
    names.emplace_back("/usr/local/cuda/lib64/libnvrtc.so");
    // It stays: what it keeps for later calls would be lost with every copy that is closed.
    for (const std::string& name : names)
        if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
            return Nvrtc(handle);
    return std::nullopt;
}

template <class F>
F* Nvrtc::function(const char* name) const {
    void* const address = dlsym(library_, name);
    if (!address)
        throw Error(
            ExitCode::unavailable,
            fmt::format("NVRTC has no {}: install a CUDA Toolkit of version 12.6 or newer", name));
    return reinterpret_cast<F*>(address);
}

std::string Nvrtc::version() const {
    int major = 0;
    int minor = 0;
    check(function<Status(int*, int*)>("nvrtcVersion")(&major, &minor), "telling its version");
    return fmt::format("{}.{}", major, minor);
}

Nvrtc::Result Nvrtc::compile(const std::string& text, const std::string& name,
                             const std::vector<std::string>& kernels,
                             const std::vector<std::string>& options) const {
    Program created = nullptr;
    check(function<Status(Program*, const char*, const char*, int, const char* const*,
                          const char* const*)>("nvrtcCreateProgram")(
              &created, text.c_str(), name.c_str(), 0, nullptr, nullptr),
          "taking a kernel");
    const auto destroy = function<Status(Program*)>("nvrtcDestroyProgram");
    const std::unique_ptr<NvrtcProgram, std::function<void(Program)>> program(
        created, [destroy](Program old) { destroy(&old); });
    for (const std::string& kernel : kernels)
        check(function<Status(Program, const char*)>("nvrtcAddNameExpression")(program.get(),
                                                                               kernel.c_str()),
              "taking a kernel's name");
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    const Status compiled = function<Status(Program, int, const char* const*)>(
        "nvrtcCompileProgram")(program.get(), static_cast<int>(words.size()), words.data());
    if (compiled != compilation_failed) check(compiled, "compiling a kernel");

    // A size, and what has it.
    const auto text_of = [&](const char* size_name, const char* text_name) {
        std::size_t size = 0;
        check(function<Status(Program, std::size_t*)>(size_name)(program.get(), &size),
              "handing a kernel over");
        std::string bytes(size, '\0');
        check(function<Status(Program, char*)>(text_name)(program.get(), bytes.data()),
              "handing a kernel over");
        return bytes;
    };
    Result result;
    result.log = text_of("nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
    if (compiled == success) result.cubin = text_of("nvrtcGetCUBINSize", "nvrtcGetCUBIN");
    return result;
}

}  // namespace camber
