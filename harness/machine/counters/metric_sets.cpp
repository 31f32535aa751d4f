#include "harness/machine/counters/metric_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::counters {

namespace {

using Names = std::vector<std::string>;

const Names time_and_cycles{metric::duration, metric::sm_cycles};

const Names memory{
    metric::dram_read_bytes,
    metric::dram_write_bytes,
    metric::dram_throughput,
    metric::l2_read_sectors,
    metric::l2_write_sectors,
    metric::l2_hits,
    metric::global_load_requests,
    metric::global_load_sectors,
    metric::global_store_requests,
    metric::global_store_sectors,
    metric::load_sector_use,
    metric::store_sector_use,
    metric::l1_hits,
    metric::texture_requests,
    metric::texture_sectors,
    metric::local_loads,
    metric::local_stores,
};

const Names shared{
    metric::shared_load_wavefronts, metric::shared_store_wavefronts, metric::shared_load_conflicts,
    metric::shared_store_conflicts, metric::asynchronous_copies,     metric::bulk_copies,
    metric::distributed_shared,
};

const Names compute{
    metric::warp_instructions,
    metric::thread_instructions,
    metric::threads_per_instruction,
    metric::occupancy,
    metric::fp32_fma,
    metric::fp32_add,
    metric::fp32_mul,
    metric::fp64_fma,
    metric::fp64_add,
    metric::fp64_mul,
};

Names joined(std::initializer_list<Names> parts) {
    Names all;
    for (const Names& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// Alternative names of a quantity, tried in turn if a chip lacks the requested one.
struct Alias {
    std::string requested;
    std::string other;
};

const std::vector<Alias> aliases{
    {metric::dram_read_bytes, "dram__bytes_op_read.sum"},    // GB20x
    {metric::dram_write_bytes, "dram__bytes_op_write.sum"},  // GB20x
};

std::string name_on(const ChipMetrics& chip, const std::string& requested) {
    if (chip.has(requested)) return requested;
    for (const Alias& alias : aliases)
        if (alias.requested == requested && chip.has(alias.other)) return alias.other;
    return "";
}

Names words(std::string_view list) {
    Names found;
    std::string word;
    for (const char c : fmt::format("{},", list)) {
        if (c != ',' && c != ' ') {
            word += c;
        } else if (!word.empty()) {
            found.push_back(std::exchange(word, ""));
        }
    }
    return found;
}

const MetricSet* find_set(const std::string& name) {
    const auto found = std::ranges::find(metric_sets(), name, &MetricSet::name);
    return found == metric_sets().end() ? nullptr : &*found;
}

std::string set_names() {
    Names names;
    for (const MetricSet& set : metric_sets()) names.push_back(set.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const std::vector<MetricSet>& metric_sets() {
    static const std::vector<MetricSet> sets{
        {"memory", "DRAM, L2, L1 and texture traffic, hit rates, spills",
         joined({time_and_cycles, memory})},
        {"shared", "wavefronts and bank conflicts of shared memory, asynchronous copies",
         joined({time_and_cycles, shared})},
        {"compute", "instructions, divergence, occupancy, floating-point work",
         joined({time_and_cycles, compute})},
        {"all", "everything above", joined({time_and_cycles, memory, shared, compute})},
    };
    return sets;
}

std::vector<ChosenMetric> without_textures(std::vector<ChosenMetric> chosen,
                                           std::string_view choice) {
    const Names named = words(choice);
    std::erase_if(chosen, [&](const ChosenMetric& metric) {
        const bool of_texture_unit = metric.requested == metric::texture_requests ||
                                     metric.requested == metric::texture_sectors;
        return of_texture_unit && std::ranges::find(named, metric.requested) == named.end();
    });
    return chosen;
}

std::vector<ChosenMetric> resolve(std::string_view choice, const ChipMetrics& chip) {
    const Names& ours = metric_sets().back().metrics;
    std::vector<ChosenMetric> chosen;
    const auto add = [&](const std::string& requested) {
        if (std::ranges::find(chosen, requested, &ChosenMetric::requested) != chosen.end()) return;
        const std::string name = name_on(chip, requested);
        if (name.empty() && std::ranges::find(ours, requested) == ours.end())
            throw Error(ExitCode::usage, chip.why_not(requested));
        chosen.push_back({requested, name});
    };
    for (const std::string& word : words(choice)) {
        if (const MetricSet* set = find_set(word)) {
            std::ranges::for_each(set->metrics, add);
        } else if (word.find("__") == std::string::npos) {  // every metric's unit ends with "__"
            Names names;
            for (const MetricSet& known : metric_sets()) names.push_back(known.name);
            throw Error(ExitCode::usage,
                        fmt::format("'{}' is neither a set of metrics ({}) nor a metric{}", word,
                                    set_names(), suggestion(word, names)));
        } else {
            add(word);
        }
    }
    if (chosen.empty())
        throw Error(ExitCode::usage,
                    fmt::format("no metrics are named: give {}, or names of metrics, separated by "
                                "commas",
                                set_names()));
    return chosen;
}

std::vector<std::string> chip_names(const std::vector<ChosenMetric>& metrics) {
    std::vector<std::string> names;
    for (const ChosenMetric& metric : metrics)
        if (metric.available() && std::ranges::find(names, metric.name) == names.end())
            names.push_back(metric.name);
    return names;
}

}  // namespace camber::counters
