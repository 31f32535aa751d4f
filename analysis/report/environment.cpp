#include "analysis/report/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace camber::report {

namespace {

using results::known;

class Listing {
  public:
    void add(const char* label, const std::string& value) {
        if (!value.empty()) lines_.emplace_back(label, value);
    }
    void add(const char* label, const std::optional<std::string>& value) {
        if (value) add(label, *value);
    }
    template <class Number>
    void add(const char* label, const std::optional<Number>& value, double factor, const char* unit,
             int digits) {
        if (value)
            add(label,
                fmt::format("{:.{}f} {}", static_cast<double>(*value) * factor, digits, unit));
    }
    std::vector<std::pair<std::string, std::string>> lines() { return std::move(lines_); }

  private:
    std::vector<std::pair<std::string, std::string>> lines_;
};

void add_gpu(Listing& listing, const results::Gpu& gpu) {
    listing.add("GPU", gpu.name);
    listing.add("compute capability", gpu.compute_capability);
    listing.add("SMs", std::to_string(gpu.sm_count));
    listing.add("SM clock", gpu.sm_clock_hz, 1e-6, "MHz", 0);
    listing.add("memory clock", gpu.memory_clock_hz, 1e-6, "MHz", 0);
    listing.add("GPU memory", gpu.memory_bytes, 1.0 / (1 << 30), "GiB", 1);
    listing.add("L2", gpu.l2_bytes, 1.0 / (1 << 20), "MiB", 0);
    if (gpu.ecc) listing.add("ECC", std::string(*gpu.ecc ? "yes" : "no"));
    listing.add("GPU UUID", known(gpu.uuid));
}

std::string driver_of(const results::Run& run) {
    const std::string version = known(run.driver_version).value_or("");
    if (!run.driver || run.driver->empty()) return version;
    return version.empty() ? "CUDA " + *run.driver
                           : fmt::format("{} (CUDA {})", version, *run.driver);
}

std::string commit_of(const results::Commit& git) {
    return git.commit.substr(0, 12) + (git.dirty ? ", with uncommitted changes" : "");
}

}  // namespace

std::string device_of(const results::Context& context, std::optional<Backend> backend) {
    if (const auto& run = context.run) {
        if (backend.value_or(Backend::cuda) == Backend::cuda && run->gpu && !run->gpu->name.empty())
            return run->gpu->name;
        if (run->cpu && run->cpu->model && !run->cpu->model->empty()) return *run->cpu->model;
    }
    return context.host_name.empty() ? "unknown" : context.host_name;
}

std::vector<std::pair<std::string, std::string>> environment_of(const results::Context& context) {
    const results::Run run = context.run.value_or(results::Run());
    const results::OperatingSystem os = run.os.value_or(results::OperatingSystem());
    Listing listing;
    if (run.gpu) add_gpu(listing, *run.gpu);
    listing.add("driver", driver_of(run));
    listing.add("CUDA runtime", run.runtime);
    listing.add("copy bandwidth", run.ceilings.copy_bytes_per_second, 1e-9, "GB/s", 1);
    listing.add("compiler", run.compiler);
    listing.add("flags", run.flags);
    listing.add("build", run.build_type);
    if (run.git) listing.add("commit", commit_of(*run.git));
    listing.add("camber", run.version);
    listing.add("date", context.date);
    if (run.cpu) listing.add("processor", run.cpu->model);
    listing.add("system", os.distribution);
    listing.add("kernel", os.kernel);
    listing.add("host", context.host_name);
    listing.add("command", fmt::format("{}", fmt::join(run.command, " ")));
    return listing.lines();
}

}  // namespace camber::report
