#include "analysis/report/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace camber::report {

namespace {

using Json = nlohmann::ordered_json;

std::optional<Json> at(const Json& json, const char* pointer) {
    const Json::json_pointer place{pointer};
    if (!json.is_object() || !json.contains(place) || json.at(place).is_null()) return std::nullopt;
    return json.at(place);
}

std::string text_at(const Json& json, const char* pointer) {
    const auto found = at(json, pointer);
    if (!found) return "";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

class Listing {
  public:
    explicit Listing(const Json& context) : context_(context) {}

    void add(const char* label, const std::string& value) {
        if (!value.empty()) lines_.emplace_back(label, value);
    }
    void text(const char* label, const char* pointer) { add(label, text_at(context_, pointer)); }
    void scaled(const char* label, const char* pointer, double factor, const char* unit,
                int digits) {
        if (const auto found = at(context_, pointer); found && found->is_number())
            add(label, fmt::format("{:.{}f} {}", found->get<double>() * factor, digits, unit));
    }
    std::vector<std::pair<std::string, std::string>> lines() { return std::move(lines_); }

  private:
    const Json& context_;
    std::vector<std::pair<std::string, std::string>> lines_;
};

std::string yes_or_no(const Json& context, const char* pointer) {
    const auto found = at(context, pointer);
    if (!found || !found->is_boolean()) return "";
    return found->get<bool>() ? "yes" : "no";
}

}  // namespace

std::string device_of(const Json& context, const std::string& backend) {
    const std::string gpu = text_at(context, "/camber/gpu/name");
    const std::string cpu = text_at(context, "/camber/cpu/model");
    const std::string host = text_at(context, "/host_name");
    if ((backend.empty() || backend == "cuda") && !gpu.empty()) return gpu;
    if (!cpu.empty()) return cpu;
    return host.empty() ? "unknown" : host;
}

std::vector<std::pair<std::string, std::string>> environment_of(const Json& context) {
    Listing listing(context);
    listing.text("GPU", "/camber/gpu/name");
    listing.text("compute capability", "/camber/gpu/compute_capability");
    listing.text("SMs", "/camber/gpu/sm_count");
    listing.scaled("SM clock", "/camber/gpu/sm_clock_hz", 1e-6, "MHz", 0);
    listing.scaled("memory clock", "/camber/gpu/memory_clock_hz", 1e-6, "MHz", 0);
    listing.scaled("GPU memory", "/camber/gpu/memory_bytes", 1.0 / (1 << 30), "GiB", 1);
    listing.scaled("L2", "/camber/gpu/l2_bytes", 1.0 / (1 << 20), "MiB", 0);
    listing.add("ECC", yes_or_no(context, "/camber/gpu/ecc"));
    listing.text("GPU UUID", "/camber/gpu/uuid");
    std::string driver = text_at(context, "/camber/driver_version");
    if (const std::string api = text_at(context, "/camber/driver"); !api.empty())
        driver += driver.empty() ? "CUDA " + api : fmt::format(" (CUDA {})", api);
    listing.add("driver", driver);
    listing.text("CUDA runtime", "/camber/runtime");
    listing.scaled("copy bandwidth", "/camber/ceilings/copy_bytes_per_second", 1e-9, "GB/s", 1);
    listing.text("compiler", "/camber/compiler");
    listing.text("flags", "/camber/flags");
    listing.text("build", "/camber/build_type");
    std::string commit = text_at(context, "/camber/git/commit").substr(0, 12);
    if (yes_or_no(context, "/camber/git/dirty") == "yes") commit += ", with uncommitted changes";
    listing.add("commit", commit);
    listing.text("camber", "/camber/version");
    listing.text("date", "/date");
    listing.text("processor", "/camber/cpu/model");
    listing.text("system", "/camber/os/distribution");
    listing.text("kernel", "/camber/os/kernel");
    listing.text("host", "/host_name");
    if (const auto command = at(context, "/camber/command"); command && command->is_array())
        listing.add("command",
                    fmt::format("{}", fmt::join(command->get<std::vector<std::string>>(), " ")));
    return listing.lines();
}

}  // namespace camber::report
