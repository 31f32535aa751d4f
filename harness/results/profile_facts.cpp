#include "harness/results/profile_facts.hpp"

#include <algorithm>

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::optional<T> optional_at(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->get<T>();
}

// A curve's value at its largest working set, far outside of L2.
std::optional<double> end_of_curve(const Json& ceilings, const char* key) {
    const auto curve = ceilings.find(key);
    if (curve == ceilings.end() || curve->empty()) return std::nullopt;
    return curve->back().at("bytes_per_second").get<double>();
}

profile::Kernel kernel(const Json& json) {
    const auto product = [&](const char* key) {
        return json.at(key).at("columns").get<std::int64_t>() *
               json.at(key).at("rows").get<std::int64_t>();
    };
    profile::Kernel facts;
    facts.name = json.at("name").get<std::string>();
    facts.threads_per_block = static_cast<int>(product("block"));
    facts.blocks = product("grid");
    facts.registers = optional_at<int>(json, "registers");
    facts.static_shared_bytes = optional_at<std::int64_t>(json, "static_shared_bytes");
    facts.dynamic_shared_bytes = optional_at<std::int64_t>(json, "dynamic_shared_bytes");
    facts.local_bytes = optional_at<std::int64_t>(json, "local_bytes");
    facts.occupancy = optional_at<double>(json, "occupancy");
    if (const auto mix = json.find("instructions"); mix != json.end())
        for (const auto& [name, count] : mix->items())
            facts.instructions[name] = count.get<std::int64_t>();
    return facts;
}

// The highest clock seen around the samples: just before them the device may still have slept.
std::optional<double> clock_during(const Json& case_facts) {
    const auto states = case_facts.find("device_state");
    if (states == case_facts.end()) return std::nullopt;
    std::optional<double> clock;
    for (const char* when : {"before", "after"})
        if (const auto hertz = optional_at<double>(states->at(when), "sm_clock_hz"))
            clock = std::max(clock.value_or(0), *hertz);
    return clock;
}

}  // namespace

profile::Ceilings profile_ceilings(const Json& ceilings) {
    profile::Ceilings facts;
    facts.copy = optional_at<double>(ceilings, "copy_bytes_per_second");
    if (!facts.copy) facts.copy = end_of_curve(ceilings, "copy");
    facts.read = end_of_curve(ceilings, "read");
    facts.write = end_of_curve(ceilings, "write");
    facts.l2 = optional_at<double>(ceilings, "l2_bytes_per_second");
    facts.l1 = optional_at<double>(ceilings, "l1_bytes_per_second");
    facts.shared = optional_at<double>(ceilings, "shared_bytes_per_second");
    facts.fp32 = optional_at<double>(ceilings, "fp32_flops_per_second");
    facts.fp64 = optional_at<double>(ceilings, "fp64_flops_per_second");
    facts.logic = optional_at<double>(ceilings, "lop3_operations_per_second");
    facts.launch_seconds = optional_at<double>(ceilings, "launch_seconds");
    return facts;
}

profile::Facts profile_facts(const Json& context, const Json& benchmark) {
    const Json& camber = benchmark.at("camber");
    const Json& gpu = context.at("gpu");
    const Json& statistics = camber.at("statistics");
    const Json& derived = camber.at("derived");

    profile::Facts facts;
    facts.variant = camber.at("variant").get<std::string>();
    facts.device.name = gpu.at("name").get<std::string>();
    facts.device.sm_count = gpu.at("sm_count").get<int>();
    facts.device.sm_clock_hz = clock_during(camber);
    if (!facts.device.sm_clock_hz)
        facts.device.sm_clock_hz = optional_at<double>(gpu, "sm_clock_hz");
    facts.device.l2_bytes = optional_at<double>(gpu, "l2_bytes");
    facts.ceilings = profile_ceilings(context.at("ceilings"));

    const double seconds = 1e-9 / camber.at("generations_per_sample").get<double>();
    facts.time.median = statistics.at("median_ns").get<double>() * seconds;
    facts.time.low = statistics.at("ci95_ns").at(0).get<double>() * seconds;
    facts.time.high = statistics.at("ci95_ns").at(1).get<double>() * seconds;
    facts.time.samples = statistics.at("n").get<std::int64_t>();
    facts.cells =
        camber.at("size").at("columns").get<double>() * camber.at("size").at("rows").get<double>();
    // The file holds the rate.
    facts.application_bytes =
        derived.at("application_bandwidth_bytes_per_second").get<double>() * facts.time.median;
    facts.generations_per_launch = camber.value("generations_per_launch", 1);
    if (const auto found = camber.find("kernel"); found != camber.end())
        facts.kernel = kernel(*found);
    if (const auto times = camber.find("kernel_times"); times != camber.end())
        for (const Json& one : times->at("kernels"))
            facts.kernel_times.push_back(
                {one.at("name").get<std::string>(), 1e-9 * one.at("median_ns").get<double>() *
                                                        one.at("n").get<double>() /
                                                        times->at("generations").get<double>()});
    if (const auto counters = camber.find("counters"); counters != camber.end())
        for (const auto& [metric, value] : counters->items())
            facts.counters[metric] = value.get<double>();
    facts.kernel_traffic = profile::kernel_traffic(camber);
    return facts;
}

}  // namespace camber
