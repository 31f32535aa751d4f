// Comparison of deterministic quantities of two cases: model, registers, memory, instructions and
// counters.
#include "analysis/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber::comparison {

namespace {

using results::CaseRecord;
using results::Kernel;
using Numbers = std::map<std::string, double>;

// Instruction classes that are judged: the program's author determines the number of memory
// accesses. The compiler trades other classes for one another (including barriers: DEPBAR, which
// waits for the thread's own loads, is counted as one), and the total shows the gain.
constexpr std::string_view judged_instructions[] = {
    "total",       "global_loads", "global_stores", "shared_loads", "shared_stores",
    "local_loads", "local_stores", "texture",       "atomics"};

constexpr std::string_view request_metrics[] = {"l1tex__t_requests_pipe_",
                                                "l1tex__t_sectors_pipe_"};
constexpr std::string_view wavefront_metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared";
constexpr std::string_view instruction_metrics[] = {"sm__sass_inst_executed", "smsp__inst_executed",
                                                    "smsp__sass_inst_executed",
                                                    "sm__inst_executed"};

bool starts_with_any(const std::string& text, std::span<const std::string_view> starts) {
    return std::ranges::any_of(starts,
                               [&](std::string_view start) { return text.starts_with(start); });
}

// Only sums over the device are deterministic; averages and shares of a peak depend on the clock.
bool is_sum(const std::string& metric) {
    return metric.ends_with(".sum");
}

Numbers model_quantities(const CaseRecord& from) {
    if (!from.model) return {};
    Numbers all = from.model->quantities;
    // Describe an estimate from sampled blocks and are no costs.
    std::erase_if(all, [](const auto& entry) {
        const std::string& quantity = entry.first;
        return quantity.ends_with("_low") || quantity.ends_with("_high") ||
               quantity == "sampled_blocks";
    });
    return all;
}

// Calls take(kernel, prefix) for every kernel; the prefix is "stencil (1): " if there are several.
template <class Take>
void each_kernel(const CaseRecord& from, const Take& take) {
    for (std::size_t k = 0; k < from.kernels.size(); ++k)
        take(from.kernels[k], from.kernels.size() == 1
                                  ? std::string()
                                  : fmt::format("{} ({}): ", from.kernels[k].name, k + 1));
}

Numbers register_quantities(const CaseRecord& from) {
    Numbers all;
    each_kernel(from, [&](const Kernel& kernel, const std::string& prefix) {
        if (kernel.registers) all[prefix + "registers"] = *kernel.registers;
    });
    return all;
}

Numbers memory_quantities(const CaseRecord& from) {
    Numbers all;
    each_kernel(from, [&](const Kernel& kernel, const std::string& prefix) {
        for (const auto& [quantity, bytes] :
             {std::pair("static_shared_bytes", kernel.static_shared_bytes),
              {"dynamic_shared_bytes", kernel.dynamic_shared_bytes},
              {"local_bytes", kernel.local_bytes}})
            if (bytes) all[prefix + quantity] = static_cast<double>(*bytes);
    });
    return all;
}

Numbers instruction_quantities(const CaseRecord& from) {
    Numbers all;
    each_kernel(from, [&](const Kernel& kernel, const std::string& prefix) {
        for (const auto& [kind, count] : kernel.instructions)
            if (!text_counts::is_of_schedule(kind)) all[prefix + kind] = static_cast<double>(count);
    });
    for (const auto& [metric, count] : from.counters)
        if (is_sum(metric) && starts_with_any(metric, instruction_metrics)) all[metric] = count;
    return all;
}

Numbers counter_quantities(const CaseRecord& from) {
    Numbers all;
    for (const auto& [metric, count] : from.counters)
        if (is_sum(metric) &&
            (starts_with_any(metric, request_metrics) || metric.starts_with(wavefront_metric)))
            all[metric] = count;
    return all;
}

bool is_by_compiler(QuantityFamily family, const std::string& quantity) {
    return family == QuantityFamily::registers || family == QuantityFamily::instructions ||
           quantity.ends_with("local_bytes");
}

// A predicted time follows from the other quantities and from device limits. It is shown as their
// combined effect and not judged.
constexpr std::string_view predicted_time = "predicted_seconds";
constexpr double predicted_time_tolerance = 0.001;

bool is_judged(QuantityFamily family, const std::string& quantity) {
    if (quantity == predicted_time) return false;
    if (family != QuantityFamily::instructions || is_sum(quantity)) return true;
    const auto colon = quantity.rfind(": ");
    const std::string kind = colon == std::string::npos ? quantity : quantity.substr(colon + 2);
    return std::ranges::find(judged_instructions, kind) != std::end(judged_instructions);
}

bool differ(const std::string& quantity, double base, double changed) {
    if (base == changed) return false;
    const double share = quantity.starts_with(wavefront_metric) ? wavefront_tolerance
                         : quantity == predicted_time           ? predicted_time_tolerance
                                                                : 0;
    const double allowed = share * std::abs(base);
    return std::abs(changed - base) > allowed;
}

Effect effect_of(QuantityFamily family, const std::string& quantity, double base, double changed,
                 bool same_compiler) {
    if (!is_judged(family, quantity) || (!same_compiler && is_by_compiler(family, quantity)))
        return Effect::information;
    const bool more_is_better = quantity == "non_redundant_share";
    return (changed > base) != more_is_better ? Effect::regression : Effect::improvement;
}

}  // namespace

std::string_view name(QuantityFamily family) {
    switch (family) {
        case QuantityFamily::model:
            return "model";
        case QuantityFamily::registers:
            return "registers";
        case QuantityFamily::memory:
            return "memory";
        case QuantityFamily::instructions:
            return "instructions";
        case QuantityFamily::counters:
            break;
    }
    return "counters";
}

std::map<std::string, double> quantities_of(QuantityFamily family, const CaseRecord& from) {
    switch (family) {
        case QuantityFamily::model:
            return model_quantities(from);
        case QuantityFamily::registers:
            return register_quantities(from);
        case QuantityFamily::memory:
            return memory_quantities(from);
        case QuantityFamily::instructions:
            return instruction_quantities(from);
        case QuantityFamily::counters:
            break;
    }
    return counter_quantities(from);
}

QuantityComparison compare_quantities(const CaseRecord& base, const CaseRecord& changed,
                                      bool same_compiler) {
    QuantityComparison result;
    for (const QuantityFamily family : quantity_families) {
        const Numbers after = quantities_of(family, changed);
        for (const auto& [quantity, value] : quantities_of(family, base)) {
            const auto found = after.find(quantity);
            if (quantity == predicted_time && found == after.end()) continue;
            if (found == after.end()) {
                ++result.only_in_base[family];
                continue;
            }
            ++result.compared[family];
            if (differ(quantity, value, found->second))
                result.changes.push_back(
                    {family, quantity, value, found->second,
                     effect_of(family, quantity, value, found->second, same_compiler)});
        }
    }
    return result;
}

}  // namespace camber::comparison
