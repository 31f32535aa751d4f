#include "harness/results/merge.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/base/statistics.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

bool same_case(const Json& a, const Json& b) {
    const auto value = [](const Json& json, const char* key) {
        return json.contains(key) ? json[key] : Json(nullptr);
    };
    return a["name"] == b["name"] && a["run_type"] == b["run_type"] &&
           value(a, "repetition_index") == value(b, "repetition_index");
}

void append(Json& list, const Json& more) {
    for (const Json& element : more) list.push_back(element);
}

// Statistics of `samples` in place of the old ones; keys that summaries do not have stay.
void resummarize(Json& statistics, const Json& samples, std::uint64_t seed) {
    const SampleStatistics summary = summarize(samples.get<std::vector<double>>(), seed);
    statistics["n"] = summary.n;
    statistics["min_ns"] = summary.min;
    statistics["median_ns"] = summary.median;
    statistics["iqr_ns"] = summary.iqr;
    statistics["ci95_ns"] = {summary.ci95_low, summary.ci95_high};
    if (statistics.contains("outliers")) statistics["outliers"] = summary.outliers;
}

void merge_kernel_times(Json& into, const Json& from, std::uint64_t seed, double event_ns) {
    double total = 0;
    double launches = 0;
    for (std::size_t k = 0; k < into["kernels"].size() && k < from["kernels"].size(); ++k) {
        Json& kernel = into["kernels"][k];
        append(kernel["samples_ns"], from["kernels"][k]["samples_ns"]);
        resummarize(kernel, kernel["samples_ns"], seed);
        total += kernel["median_ns"].get<double>() * kernel["n"].get<double>();
        launches += kernel["n"].get<double>();
    }
    const double generations =
        into["generations"].get<double>() + from["generations"].get<double>();
    into["generations"] = static_cast<std::int64_t>(generations);
    into["ns_per_generation"] = total / generations;
    into["launch_gap_ns"] = (event_ns * generations - total) / launches;
}

void merge_device_states(Json& into, const Json& from) {
    into["during"].push_back(into["after"]);
    into["during"].push_back(from["before"]);
    append(into["during"], from["during"]);
    into["after"] = from["after"];
    if (into["clock_fall"].is_null()) into["clock_fall"] = from["clock_fall"];
}

void merge_times(Json& into, const Json& from, std::uint64_t seed) {
    Json& camber = into["camber"];
    const Json& other = from["camber"];
    const double generations = camber["generations_per_sample"].get<double>();
    const double scale = generations / other["generations_per_sample"].get<double>();
    for (const Json& sample : other["samples_ns"])
        camber["samples_ns"].push_back(scale == 1 ? sample : Json(sample.get<double>() * scale));
    append(camber["visits"], other["visits"]);
    resummarize(camber["statistics"], camber["samples_ns"], seed);
    if (other["statistics"]["stopped_by"] != "converged")
        camber["statistics"]["stopped_by"] = other["statistics"]["stopped_by"];

    const double before = into["real_time"].get<double>();
    const double now = camber["statistics"]["median_ns"].get<double>() / generations;
    into["real_time"] = now;
    into["cpu_time"] = (into["cpu_time"].get<double>() * into["iterations"].get<double>() +
                        from["cpu_time"].get<double>() * from["iterations"].get<double>()) /
                       (into["iterations"].get<double>() + from["iterations"].get<double>());
    into["iterations"] =
        into["iterations"].get<std::int64_t>() + from["iterations"].get<std::int64_t>();
    if (camber.contains("derived"))
        for (const char* rate :
             {"cells_per_second", "generations_per_second",
              "application_bandwidth_bytes_per_second", "share_of_copy", "step_share_of_copy"}) {
            Json& derived = camber["derived"];
            if (derived.contains(rate) && !derived[rate].is_null())
                derived[rate] = derived[rate].get<double>() * before / now;
        }

    if (camber.contains("kernel_times") && other.contains("kernel_times"))
        merge_kernel_times(camber["kernel_times"], other["kernel_times"], seed, now);
    if (camber.contains("device_state") && other.contains("device_state"))
        merge_device_states(camber["device_state"], other["device_state"]);
}

}  // namespace

void merge_benchmark(Json& document, const Json& benchmark, std::uint64_t seed) {
    Json& all = document["benchmarks"];
    const auto found = std::ranges::find_if(
        all, [&](const Json& candidate) { return same_case(candidate, benchmark); });
    if (found == all.end() || !found->contains("camber")) {
        all.push_back(benchmark);
        return;
    }
    if ((*found)["camber"]["status"] != "ok") return;
    if (benchmark["camber"]["status"] != "ok") {
        *found = benchmark;
        return;
    }
    merge_times(*found, benchmark, seed);
    for (const char* once : {"counters", "kernel_counters", "kernel_times", "model"})
        if (!(*found)["camber"].contains(once) && benchmark["camber"].contains(once))
            (*found)["camber"][once] = benchmark["camber"][once];
}

void add_speedups(Json& document, const std::string& baseline) {
    const auto conditions = [](const Json& benchmark) {
        return benchmark["camber"]["cache"].get<std::string>() + "/" +
               benchmark["camber"]["submission"].get<std::string>();
    };
    const auto timed = [](const Json& benchmark) {
        return benchmark.contains("camber") && benchmark["camber"].contains("derived");
    };
    std::map<std::string, double> times;
    for (const Json& benchmark : document["benchmarks"])
        if (timed(benchmark) && benchmark["camber"]["variant"] == baseline)
            times[conditions(benchmark)] = benchmark["real_time"].get<double>();
    for (Json& benchmark : document["benchmarks"])
        if (timed(benchmark) && times.contains(conditions(benchmark)))
            benchmark["camber"]["derived"]["speedup_vs_baseline"] =
                times[conditions(benchmark)] / benchmark["real_time"].get<double>();
}

}  // namespace camber
