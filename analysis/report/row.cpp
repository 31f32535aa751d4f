#include "analysis/report/row.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/profile/figures.hpp"
#include "harness/base/statistics.hpp"

namespace camber::report {

namespace {

using results::Case;

std::string title_of(const Case& one) {
    std::string title = one.text("variant");
    if (title.empty()) return one.name;
    const std::string prefix = one.text("workload") + "/";
    if (title.starts_with(prefix)) title.erase(0, prefix.size());
    if (one.text("cache") == "cold") title += ", cold";
    if (one.text("submission") == "graph") title += ", graph";
    return title;
}

// What the file says, so that a report has the numbers that the run printed; from the samples where
// it says nothing.
void set_times(Row& row, const Case& one) {
    const auto samples = one.samples();
    row.sample_count = samples.size();
    row.samples_ns = thinned(samples, most_samples);
    const Value generations = one.number("/generations_per_sample");
    if (const Value median = one.number("/statistics/median_ns"); median && generations) {
        const auto of = [&](const char* pointer) {
            const Value value = one.number(pointer);
            return value ? Value(*value / *generations) : std::nullopt;
        };
        row.median_ns = *median / *generations;
        row.min_ns = of("/statistics/min_ns");
        row.iqr_ns = of("/statistics/iqr_ns");
        row.ci_low_ns = of("/statistics/ci95_ns/0");
        row.ci_high_ns = of("/statistics/ci95_ns/1");
    } else if (!samples.empty()) {
        const SampleStatistics statistics = summarize(samples, 1);
        row.median_ns = statistics.median;
        row.min_ns = statistics.min;
        row.iqr_ns = statistics.iqr;
        row.ci_low_ns = statistics.ci95_low;
        row.ci_high_ns = statistics.ci95_high;
    }
}

// Counters where the file has them; else the model: what must cross DRAM, what each block must
// bring through L2, and the wavefronts of shared memory.
std::array<Traffic, 3> traffic_of(const Case& one) {
    profile::Facts facts;
    facts.counters = one.numbers("/counters");
    const profile::Amounts measured = profile::amounts(facts);
    const auto model = [&](const char* pointer) { return one.number(pointer); };
    const auto scaled = [](Value value, double factor) {
        return value ? Value(*value * factor) : std::nullopt;
    };
    Value wavefronts = model("/model/shared_load_wavefronts");
    if (const Value stores = model("/model/shared_store_wavefronts"))
        wavefronts = wavefronts.value_or(0) + *stores;
    const std::array<std::pair<Value, Value>, 3> amounts = {
        {{measured.dram_bytes(), model("/model/compulsory_dram_bytes")},
         {measured.l2_bytes, model("/model/block_distinct_bytes")},
         {scaled(measured.shared_wavefronts, profile::wavefront_bytes),
          scaled(wavefronts, profile::wavefront_bytes)}}};

    std::array<Traffic, 3> traffic;
    const Value columns = one.number("/size/columns");
    const Value rows = one.number("/size/rows");
    if (!columns || !rows) return traffic;
    const double cells = *columns * *rows * one.number("/generations_per_launch").value_or(1);
    for (std::size_t level = 0; level < traffic.size(); ++level) {
        const auto& [counted, predicted] = amounts[level];
        const Value bytes = counted ? counted : predicted;
        if (!bytes || *bytes <= 0) continue;  // no shared memory, or all of it in a cache
        traffic[level] = {*bytes / cells, !counted};
    }
    return traffic;
}

}  // namespace

std::vector<double> thinned(std::vector<double> values, std::size_t most) {
    std::ranges::sort(values);
    if (values.size() <= most) return values;
    std::vector<double> kept;
    const double step = static_cast<double>(values.size() - 1) / static_cast<double>(most - 1);
    for (std::size_t k = 0; k < most; ++k)
        kept.push_back(
            values[static_cast<std::size_t>(std::lround(step * static_cast<double>(k)))]);
    return kept;
}

Row row_of(const Case& one) {
    Row row;
    row.variant = title_of(one);
    row.technique = one.text("technique");
    row.status = one.status;
    row.reason = one.reason;
    if (one.camber.is_object() && one.camber.contains("verification"))
        row.verification = one.camber["verification"].value("status", "");
    row.compared_cells =
        static_cast<std::int64_t>(one.number("/verification/compared_cells").value_or(0));
    if (one.status != results::Status::ok) return row;
    if (one.text("backend") != "simt") {  // whose times say nothing of a GPU
        set_times(row, one);
        row.cells_per_second = one.number("/derived/cells_per_second");
        row.application_bytes_per_second =
            one.number("/derived/application_bandwidth_bytes_per_second");
        row.share_of_copy = one.number("/derived/share_of_copy");
        row.step_share_of_copy = one.number("/derived/step_share_of_copy");
        row.speedup = one.number("/derived/speedup_vs_baseline");
    }
    row.registers = one.number("/kernel/registers");
    row.occupancy = one.number("/kernel/occupancy");
    row.generations_per_launch = one.number("/generations_per_launch");
    row.traffic = traffic_of(one);
    row.counters = compare_with_counters(one.numbers("/model"), one.numbers("/counters"));
    row.kernels = profile::kernel_traffic(one.camber);
    return row;
}

}  // namespace camber::report
