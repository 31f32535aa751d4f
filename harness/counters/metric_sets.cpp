#include "harness/counters/metric_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/counters/cupti_host.hpp"

namespace camber::counters {

namespace {

using Names = std::vector<std::string>;

const Names time_and_cycles{"gpu__time_duration.sum", "sm__cycles_elapsed.max"};

const Names memory{
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "lts__t_sector_hit_rate.pct",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "l1tex__t_sector_hit_rate.pct",
    "l1tex__t_requests_pipe_tex_mem_texture.sum",
    "l1tex__t_sectors_pipe_tex_mem_texture.sum",
    "sm__sass_inst_executed_op_local_ld.sum",  // spills
    "sm__sass_inst_executed_op_local_st.sum",
};

const Names shared{
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "sm__sass_inst_executed_op_ldgsts.sum",   // asynchronous copies, from compute capability 8.0
    "sm__sass_inst_executed_op_tma.sum",      // from 9.0
    "sm__sass_inst_executed_op_dshared.sum",  // other blocks' shared memory, from 9.0
};

const Names compute{
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__average_thread_inst_executed_per_inst_executed.ratio",  // divergence: 32 is none
    "sm__warps_active.avg.pct_of_peak_sustained_active",           // occupancy
    "sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "sm__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "sm__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "sm__sass_thread_inst_executed_op_dmul_pred_on.sum",
};

Names joined(std::initializer_list<Names> parts) {
    Names all;
    for (const Names& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// Other names of the same quantity, tried in turn where a chip lacks the first.
struct Alias {
    std::string requested;
    std::string other;
};

const std::vector<Alias> aliases{
    {"dram__bytes_read.sum", "dram__bytes_op_read.sum"},    // GB20x
    {"dram__bytes_write.sum", "dram__bytes_op_write.sum"},  // GB20x
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
        } else if (word.find("__") == std::string::npos) {  // every metric's unit ends with this
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
