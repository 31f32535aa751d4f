#include "harness/results/context.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

#include "harness/environment/host.hpp"
#include "harness/environment/nvml.hpp"
#include "harness/results/build_info.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string host_name() {
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

Json caches(const benchmark::CPUInfo& cpu) {
    Json list = Json::array();
    for (const auto& cache : cpu.caches)
        list.push_back({{"type", cache.type},
                        {"level", cache.level},
                        {"size", cache.size},
                        {"num_sharing", cache.num_sharing}});
    return list;
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// `nvml`: nullptr where the library is absent.
Json gpu(const DeviceInfo* device, const Nvml* nvml) {
    if (!device) return nullptr;
    const std::string& bus = device->pci_bus_id;
    // NVML tells the mode in force; the runtime's flag is for where it does not.
    const auto ecc = nvml ? nvml->ecc(bus) : std::nullopt;
    const auto count_or_null = [](std::int64_t n) { return n > 0 ? Json(n) : Json(nullptr); };
    return {{"name", device->name},
            {"index", device->index},
            {"compute_capability", fmt::format("{}.{}", device->major, device->minor)},
            {"sm_count", device->sm_count},
            {"l2_bytes", count_or_null(device->l2_bytes)},
            {"memory_bytes", count_or_null(device->memory_bytes)},
            {"memory_clock_hz", count_or_null(device->memory_clock_hz)},
            {"sm_clock_hz", count_or_null(device->sm_clock_hz)},
            {"ecc", ecc.value_or(device->ecc)},
            {"mig", or_null(nvml ? nvml->mig(bus) : std::nullopt)},
            {"pci_bus_id", text_or_null(bus)},
            {"uuid", text_or_null(nvml ? nvml->uuid(bus) : "")}};
}

Json processors(const HostFacts& host) {
    return {{"model", or_null(host.cpu_model)},
            {"logical_cpus", host.logical_cpus},
            {"physical_cores", or_null(host.physical_cores)},
            {"numa_nodes", or_null(host.numa_nodes)},
            {"governor", or_null(host.frequency_governor)}};
}

Json git() {
    if (*build_info::git_commit == '\0') return nullptr;
    return {{"commit", build_info::git_commit}, {"dirty", build_info::git_dirty}};
}

}  // namespace

Json run_context(const std::vector<std::string>& command, const DeviceInfo* device,
                 const Ceilings& ceilings) {
    const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
    const std::time_t now = std::time(nullptr);
    const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(now));
    const CudaVersions versions = cuda_versions();
    const HostFacts host = host_facts();
    const std::optional<Nvml> nvml = device ? Nvml::open() : std::nullopt;

    Json context;
    // Google Benchmark's own keys, so that its tools read the file.
    context["date"] = date;
    context["host_name"] = host_name();
    context["executable"] = command.empty() ? "camber" : command.front();
    context["num_cpus"] = cpu.num_cpus;
    context["mhz_per_cpu"] = static_cast<std::int64_t>(cpu.cycles_per_second / 1e6 + 0.5);
    context["caches"] = caches(cpu);
    context["load_avg"] = cpu.load_avg;
    context["library_build_type"] = "release";

    Json& camber = context["camber"];
    camber["schema_version"] = 1;
    camber["version"] = build_info::version;
    camber["command"] = command;
    camber["gpu"] = gpu(device, nvml ? &*nvml : nullptr);
    camber["driver"] = text_or_null(versions.driver == "0.0" ? "" : versions.driver);
    camber["driver_version"] = text_or_null(nvml ? nvml->driver_version() : "");
    camber["runtime"] = text_or_null(versions.runtime);
    camber["compiler"] = build_info::compiler;
    camber["flags"] = text_or_null(build_info::flags);
    camber["build_type"] = build_info::build_type;
    camber["host"] = host_name();
    camber["cpu"] = processors(host);
    camber["os"] = {{"kernel", or_null(host.kernel)}, {"distribution", or_null(host.distribution)}};
    camber["memory_bytes"] = or_null(host.memory_bytes);
    camber["git"] = git();
    camber["date"] = date;
    camber["ceilings"] = to_json(ceilings);
    return context;
}

}  // namespace camber
