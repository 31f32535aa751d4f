#include "harness/measure/ceilings/ceilings.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <utility>
#include <vector>

#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"
#include "harness/machine/environment/host.hpp"
#include "harness/machine/environment/nvml.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

double copy_rate(Queue& queue) {
    const std::size_t bytes =
        std::min<std::size_t>(std::size_t{1} << 30, queue.limits().available_memory / 4);
    const Memory from(queue, bytes);
    const Memory to(queue, bytes);
    // Nonconstant data, because constant data may be copied faster. A block of it is generated on
    // the host and repeated on the device.
    std::vector<std::byte> noise(std::min(bytes, std::size_t{1} << 20));
    for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    queue.upload(from.get(), noise.size(), noise.data(), noise.size(), {noise.size(), 1});
    for (std::size_t done = noise.size(); done < bytes; done *= 2)
        queue.copy(static_cast<std::byte*>(from.get()) + done, from.get(),
                   std::min(done, bytes - done));

    constexpr int copies = 4;
    std::vector<double> seconds;
    for (int sample = 0; sample < 22; ++sample) {
        const double time = queue.time([&] {
            for (int i = 0; i < copies; ++i) queue.copy(to.get(), from.get(), bytes);
        });
        if (sample >= 2) seconds.push_back(time / copies);
    }
    return 2.0 * static_cast<double>(bytes) / median(seconds);
}

}  // namespace

Ceilings measure_ceilings(Queue& queue, const DeviceInfo* device) {
    if (!device) return {};
    // Sequential, so that the buffers of the copy are freed before the suite allocates its own.
    const double copy = copy_rate(queue);
    // Few samples, because the first row of a table waits for them.
    constexpr int samples_per_figure = 3;
    Ceilings ceilings = measure_ceiling_suite(queue, *device, samples_per_figure);
    check_stop();  // incomplete ceilings must not be cached as complete
    ceilings.copy_bytes_per_second = copy;
    ceilings.measured = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
    return ceilings;
}

namespace {

// Version of the measurement methods; increased when one changes.
constexpr int suite = 1;

std::string cache_name(const std::string& uuid, const std::string& driver) {
    if (uuid.empty() || driver.empty()) return "";
    return fmt::format("limits-{}-{}-{}", suite, CacheFolder::part(uuid),
                       CacheFolder::part(driver));
}

std::string cache_name(const DeviceInfo& device) {
    const std::optional<Nvml> nvml = Nvml::open();
    return nvml ? cache_name(nvml->uuid(device.pci_bus_id), nvml->driver_version()) : "";
}

}  // namespace

CeilingsCache::CeilingsCache(const DeviceInfo& device, CacheFolder folder)
    : folder_(std::move(folder)), name_(cache_name(device)) {}

CeilingsCache::CeilingsCache(const std::string& uuid, const std::string& driver, CacheFolder folder)
    : folder_(std::move(folder)), name_(cache_name(uuid, driver)) {}

std::optional<Ceilings> CeilingsCache::read() const {
    if (name_.empty()) return std::nullopt;
    const auto text = folder_.read(name_);
    if (!text) return std::nullopt;
    try {
        const auto kept = results::parse_document(*text, name_).ceilings;
        const bool whole = kept && kept->copy_bytes_per_second && kept->measured;
        return whole ? kept : std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void CeilingsCache::write(const Ceilings& ceilings) const {
    if (name_.empty()) return;
    results::Document document;
    document.ceilings = ceilings;
    folder_.write(name_, results::to_text(document));
}

Ceilings limits_of(const DeviceInfo& device, bool fresh, const std::function<Ceilings()>& measure) {
    const CeilingsCache cache(device, CacheFolder::of_user());
    if (!fresh)
        if (auto kept = cache.read()) return *kept;
    Ceilings measured = measure();
    cache.write(measured);
    return measured;
}

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

// `nvml`: nullptr if the library is absent.
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
    // NVML reports the active mode; the runtime's flag is the fallback.
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
