#include "harness/measure/context.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

#include "harness/machine/environment/host.hpp"
#include "harness/machine/environment/nvml.hpp"
#include "harness/record/build_info.hpp"

namespace camber {

namespace {

std::optional<std::string> if_any(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::int64_t> if_any(std::int64_t count) {
    return count > 0 ? std::optional(count) : std::nullopt;
}

std::string host_name() {
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

std::vector<results::CpuCache> caches(const benchmark::CPUInfo& cpu) {
    std::vector<results::CpuCache> list;
    for (const auto& cache : cpu.caches)
        list.push_back({cache.type, cache.level, cache.size, cache.num_sharing});
    return list;
}

// `nvml`: nullptr where the library is absent.
results::Gpu gpu(const DeviceInfo& device, const Nvml* nvml) {
    const std::string& bus = device.pci_bus_id;
    results::Gpu gpu;
    gpu.name = device.name;
    gpu.index = device.index;
    gpu.compute_capability = fmt::format("{}.{}", device.major, device.minor);
    gpu.sm_count = device.sm_count;
    gpu.l2_bytes = if_any(device.l2_bytes);
    gpu.memory_bytes = if_any(device.memory_bytes);
    gpu.memory_clock_hz = if_any(device.memory_clock_hz);
    gpu.sm_clock_hz = if_any(device.sm_clock_hz);
    // NVML tells the mode in force; the runtime's flag is for where it does not.
    gpu.ecc = (nvml ? nvml->ecc(bus) : std::nullopt).value_or(device.ecc);
    gpu.mig.emplace(nvml ? nvml->mig(bus) : std::nullopt);
    gpu.pci_bus_id.emplace(if_any(bus));
    gpu.uuid.emplace(nvml ? if_any(nvml->uuid(bus)) : std::nullopt);
    return gpu;
}

std::optional<results::Commit> commit() {
    if (*build_info::git_commit == '\0') return std::nullopt;
    return results::Commit{build_info::git_commit, build_info::git_dirty};
}

}  // namespace

results::Context run_context(const std::vector<std::string>& command, const DeviceInfo* device,
                             const Ceilings& ceilings) {
    const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
    const std::time_t now = std::time(nullptr);
    const CudaVersions versions = cuda_versions();
    const HostFacts host = host_facts();
    const std::optional<Nvml> nvml = device ? Nvml::open() : std::nullopt;

    results::Context context;
    context.date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(now));
    context.host_name = host_name();
    context.executable = command.empty() ? "camber" : command.front();
    context.num_cpus = cpu.num_cpus;
    context.mhz_per_cpu = static_cast<int>(cpu.cycles_per_second / 1e6 + 0.5);
    context.caches = caches(cpu);
    context.load_avg = cpu.load_avg;
    context.library_build_type = "release";

    results::Run& run = context.run.emplace();
    run.version = build_info::version;
    run.command = command;
    if (device) run.gpu = gpu(*device, nvml ? &*nvml : nullptr);
    run.driver = if_any(versions.driver == "0.0" ? std::string() : versions.driver);
    run.driver_version.emplace(nvml ? if_any(nvml->driver_version()) : std::nullopt);
    run.runtime = if_any(versions.runtime);
    run.compiler = build_info::compiler;
    run.flags = if_any(std::string(build_info::flags));
    run.build_type = build_info::build_type;
    run.host = context.host_name;
    run.cpu = {host.cpu_model, host.logical_cpus, host.physical_cores, host.numa_nodes,
               host.frequency_governor};
    run.os = {host.kernel, host.distribution};
    run.memory_bytes.emplace(host.memory_bytes);
    run.git = commit();
    run.date = context.date;
    run.ceilings = ceilings;
    return context;
}

}  // namespace camber
