#include "analysis/profile/kernel_traffic.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/profile/figures.hpp"
#include "harness/counters/metric_names.hpp"

namespace camber::profile {

namespace {

using Json = nlohmann::ordered_json;

// Beside numbers a model has the names of its rules and method.
void add_numbers(std::map<std::string, double>& sums, const Json& from) {
    for (const auto& [name, value] : from.items())
        if (value.is_number()) sums[name] += value.get<double>();
}

struct Launches {
    std::string name;
    int launches = 0;
    int predicted = 0;
    bool sampled = false;
    std::map<std::string, double> counters;
    std::map<std::string, double> model;
};

}  // namespace

std::vector<KernelTraffic> kernel_traffic(const Json& camber) {
    const auto kernels = camber.find("kernel_counters");
    if (kernels == camber.end()) return {};
    std::vector<Launches> by_name;
    for (const Json& kernel : *kernels) {
        const auto name = kernel.at("name").get<std::string>();
        auto same = std::ranges::find(by_name, name, &Launches::name);
        if (same == by_name.end()) same = by_name.insert(same, {name, 0, 0, false, {}, {}});
        ++same->launches;
        add_numbers(same->counters, kernel.at("counters"));
        if (const auto model = kernel.find("model"); model != kernel.end()) {
            ++same->predicted;
            same->sampled |= model->value("method", "") == "sampled";
            add_numbers(same->model, *model);
        }
    }
    std::vector<KernelTraffic> traffic;
    double all_seconds = 0;
    for (Launches& one : by_name) {
        // Shares and rates of several launches do not add up.
        std::erase_if(one.counters,
                      [](const auto& metric) { return !metric.first.ends_with(".sum"); });
        KernelTraffic kernel;
        kernel.name = one.name;
        kernel.launches = one.launches;
        kernel.estimate = one.sampled;
        if (const auto time = one.counters.find(metric::duration); time != one.counters.end()) {
            kernel.seconds = 1e-9 * time->second;
            all_seconds += *kernel.seconds;
        }
        Facts facts;
        facts.counters = one.counters;
        kernel.dram_bytes = amounts(facts).dram_bytes();
        if (one.predicted == one.launches)
            kernel.comparisons = compare_with_counters(one.model, one.counters);
        kernel.counters = std::move(one.counters);
        traffic.push_back(std::move(kernel));
    }
    for (KernelTraffic& kernel : traffic)
        if (kernel.seconds && all_seconds > 0) kernel.share = *kernel.seconds / all_seconds;
    return traffic;
}

}  // namespace camber::profile
