#include "harness/own/device_compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/source/unit.hpp"

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
    // RTLD_NODELETE: state that NVRTC caches for later calls would be lost on every dlclose().
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

    // Reads a buffer after its size.
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

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_compilation{300};

// Include paths of the file.
std::vector<std::string> include_options(const CandidateSource& source) {
    std::vector<std::string> words;
    for (const fs::path& folder : source.include_folders)
        words.push_back("-I" + fs::absolute(folder).string());
    return words;
}

// Format in the cache: the report's length, the report, the cubin.
std::string packed(const DeviceBuild& build) {
    return fmt::format("{}\n{}{}", build.report.size(), build.report, build.cubin);
}
DeviceBuild unpacked(const std::string& text) {
    const std::size_t start = text.find('\n') + 1;
    const std::size_t length = std::stoul(text);
    return {text.substr(start + length), text.substr(start, length)};
}

DeviceBuild compile_with_nvcc(const fs::path& nvcc, const CandidateSource& source,
                              const std::string& architecture, const BuildCache& cache) {
    const std::string unit = device_unit(source, true);
    std::vector<std::string> flags{"-std=c++17", "-arch=" + architecture, "-cubin", "-lineinfo",
                                   "-Xptxas=-v"};
    for (std::string& word : include_options(source)) flags.push_back(std::move(word));
    const std::string recipe =
        fmt::format("{}\n{}\n{}\n", identity_of(nvcc), fmt::join(flags, " "), unit);
    if (const auto kept = cache.find(recipe)) return unpacked(*kept);
    const TemporaryFolder folder("compile a kernel");
    const fs::path file = folder.write("unit.cu", unit);
    const fs::path cubin = folder.path() / "unit.cubin";
    const fs::path dependencies = folder.path() / "unit.d";
    std::vector<std::string> arguments = flags;
    arguments.insert(arguments.end(), {"-isystem", write_sample_headers(folder).string(),
                                       "-isystem", empty_headers(folder).string()});
    for (const std::string& word : {std::string("-MMD"), std::string("-MF"), dependencies.string(),
                                    file.string(), std::string("-o"), cubin.string()})
        arguments.push_back(word);
    // nvcc writes temporary files into the working directory.
    const std::string messages =
        run_with_empty_headers({nvcc, source.path, true, longest_compilation}, arguments, folder,
                               true)
            .messages;
    DeviceBuild build{read_file(cubin, "compiled kernel", "a cubin"), kernel_report(messages)};
    std::vector<fs::path> included;
    for (fs::path& path :
         included_files(read_file(dependencies, "list of files", "one of nvcc"), file))
        if (path.is_absolute() && !path.string().starts_with(folder.path().string()))
            included.push_back(std::move(path));
    cache.keep(recipe, included, packed(build));
    return build;
}

DeviceBuild compile_with_nvrtc(const Nvrtc& nvrtc, const CandidateSource& source,
                               const std::string& architecture, const BuildCache& cache) {
    const std::string unit = device_unit(source, false);
    std::vector<std::string> flags{"-std=c++17", "-arch=" + architecture, "-lineinfo",
                                   "--ptxas-options=-v"};
    for (std::string& word : include_options(source)) flags.push_back(std::move(word));
    const std::string recipe =
        fmt::format("nvrtc {}\n{}\n{}\n", nvrtc.version(), fmt::join(flags, " "), unit);
    if (const auto kept = cache.find(recipe)) return unpacked(*kept);
    std::vector<std::string> names(std::begin(torus_kernels), std::end(torus_kernels));
    for (const KernelDirective& kernel : source.directives.kernels) names.push_back(kernel.kernel);
    const CandidateActivity compiling(CandidateWork::compiling, source.path.string(),
                                      compilation_limit(longest_compilation));
    const Nvrtc::Result result = nvrtc.compile(unit, source.path.filename().string(), names, flags);
    if (result.cubin.empty())
        throw ErrorWithLines(
            ExitCode::usage,
            fmt::format("{} does not compile for the device; NVRTC says:", source.path.string()),
            first_messages(result.log));
    DeviceBuild build{result.cubin, kernel_report(result.log)};
    // NVRTC does not list included files, so that changes would go unnoticed: cache only without
    // includes.
    if (source.code.find("#include") == std::string::npos) cache.keep(recipe, {}, packed(build));
    return build;
}

std::string number_before(const std::string& line, const std::string& words) {
    const std::size_t end = line.find(words);
    if (end == line.npos) return "";
    std::size_t begin = end;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    return line.substr(begin, end - begin);
}

}  // namespace

std::string kernel_report(const std::string& messages) {
    std::string report;
    std::string kernel;
    std::string spills;
    for (std::size_t at = 0; at < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', at), messages.size());
        const std::string line = messages.substr(at, end - at);
        at = end + 1;
        const std::string entry = "Compiling entry function '";
        if (const std::size_t start = line.find(entry); start != line.npos) {
            const std::size_t name = start + entry.size();
            const std::string symbol = line.substr(name, line.find('\'', name) - name);
            kernel = symbol.find("camber_torus_halo") == symbol.npos ? function_name(symbol) : "";
            spills.clear();
        }
        if (const std::string bytes = number_before(line, " bytes spill stores"); !bytes.empty())
            spills = bytes == "0" ? "no spills"
                                  : fmt::format("{} bytes spilled, {} loaded again", bytes,
                                                number_before(line, " bytes spill loads"));
        const std::string registers = number_before(line, " registers");
        if (registers.empty() || kernel.empty()) continue;
        const std::string shared = number_before(line, " bytes smem");
        report += fmt::format(
            "{}: {} registers, {}{}\n", kernel, registers, spills,
            shared.empty() ? std::string() : fmt::format(", {} bytes of shared memory", shared));
    }
    return report;
}

DeviceBuild compile_for_device(const CandidateSource& source, int compute_capability,
                               const BuildCache& cache, DeviceCompiler compiler) {
    const std::string architecture = fmt::format("sm_{}", compute_capability);
    if (compiler != DeviceCompiler::nvrtc)
        if (const auto nvcc = find_cuda_program("nvcc"))
            return compile_with_nvcc(*nvcc, source, architecture, cache);
    if (compiler != DeviceCompiler::nvcc)
        if (const auto nvrtc = Nvrtc::find())
            return compile_with_nvrtc(*nvrtc, source, architecture, cache);
    throw Error(ExitCode::unavailable,
                fmt::format("neither nvcc nor NVRTC is here to compile {} for the device: install "
                            "the CUDA Toolkit, or put its libnvrtc where the loader finds it",
                            source.path.string()));
}

}  // namespace camber
