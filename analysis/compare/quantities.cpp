#include "analysis/compare/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace camber::compare {

namespace {

using results::Case;
using Numbers = std::map<std::string, double>;

// Of the classes of instructions these are judged: how often memory is touched is the author's
// doing. Among the others the compiler trades one for another (barriers too: DEPBAR, at which a
// thread waits for its own loads, is one), and the total says what it gained.
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

// Sums over the device; an average or a share of a peak has the clock in it.
bool is_sum(const std::string& metric) {
    return metric.ends_with(".sum");
}

Numbers model_quantities(const Case& from) {
    Numbers all = from.numbers("/model");
    // Of an estimate from sampled blocks: about the estimate, not costs.
    std::erase_if(all, [](const auto& entry) {
        const std::string& quantity = entry.first;
        return quantity.ends_with("_low") || quantity.ends_with("_high") ||
               quantity == "sampled_blocks";
    });
    return all;
}

// Per kernel; a case of one kernel has no list of them.
struct Kernel {
    std::string prefix;   // "stencil: " where there are several
    std::string pointer;  // below the camber object
};

std::vector<Kernel> kernels_of(const Case& from) {
    const auto list = from.camber.is_object() ? from.camber.find("kernels") : from.camber.end();
    if (!from.camber.is_object() || list == from.camber.end() || !list->is_array())
        return {{"", "/kernel"}};
    std::vector<Kernel> kernels;
    for (std::size_t k = 0; k < list->size(); ++k)
        kernels.push_back({fmt::format("{} ({}): ", (*list)[k].value("name", "kernel"), k + 1),
                           fmt::format("/kernels/{}", k)});
    return kernels;
}

Numbers kernel_quantities(const Case& from, std::span<const std::string_view> names) {
    Numbers all;
    for (const Kernel& kernel : kernels_of(from)) {
        const Numbers facts = from.numbers(kernel.pointer);
        for (const std::string_view quantity : names)
            if (const auto found = facts.find(std::string(quantity)); found != facts.end())
                all[kernel.prefix + found->first] = found->second;
    }
    return all;
}

Numbers instruction_quantities(const Case& from) {
    Numbers all;
    for (const Kernel& kernel : kernels_of(from))
        for (const auto& [kind, count] : from.numbers(kernel.pointer + "/instructions"))
            all[kernel.prefix + kind] = count;
    for (const auto& [metric, count] : from.numbers("/counters"))
        if (is_sum(metric) && starts_with_any(metric, instruction_metrics)) all[metric] = count;
    return all;
}

Numbers counter_quantities(const Case& from) {
    Numbers all;
    for (const auto& [metric, count] : from.numbers("/counters"))
        if (is_sum(metric) &&
            (starts_with_any(metric, request_metrics) || metric.starts_with(wavefront_metric)))
            all[metric] = count;
    return all;
}

Numbers quantities_of(Family family, const Case& from) {
    static constexpr std::array<std::string_view, 1> registers{"registers"};
    static constexpr std::array<std::string_view, 3> memory{"static_shared_bytes",
                                                            "dynamic_shared_bytes", "local_bytes"};
    switch (family) {
        case Family::model:
            return model_quantities(from);
        case Family::registers:
            return kernel_quantities(from, registers);
        case Family::memory:
            return kernel_quantities(from, memory);
        case Family::instructions:
            return instruction_quantities(from);
        case Family::counters:
            break;
    }
    return counter_quantities(from);
}

bool is_by_compiler(Family family, const std::string& quantity) {
    return family == Family::registers || family == Family::instructions ||
           quantity.ends_with("local_bytes");
}

bool is_judged(Family family, const std::string& quantity) {
    if (family != Family::instructions || is_sum(quantity)) return true;
    const auto colon = quantity.rfind(": ");
    const std::string kind = colon == std::string::npos ? quantity : quantity.substr(colon + 2);
    return std::ranges::find(judged_instructions, kind) != std::end(judged_instructions);
}

bool differ(const std::string& quantity, double base, double changed) {
    if (base == changed) return false;
    const double allowed =
        quantity.starts_with(wavefront_metric) ? wavefront_tolerance * std::abs(base) : 0;
    return std::abs(changed - base) > allowed;
}

Effect effect_of(Family family, const std::string& quantity, double base, double changed,
                 bool same_compiler) {
    if (!is_judged(family, quantity) || (!same_compiler && is_by_compiler(family, quantity)))
        return Effect::information;
    const bool more_is_better = quantity == "non_redundant_share";
    return (changed > base) != more_is_better ? Effect::regression : Effect::improvement;
}

}  // namespace

std::string_view name(Family family) {
    switch (family) {
        case Family::model:
            return "model";
        case Family::registers:
            return "registers";
        case Family::memory:
            return "memory";
        case Family::instructions:
            return "instructions";
        case Family::counters:
            break;
    }
    return "counters";
}

QuantityComparison compare_quantities(const Case& base, const Case& changed, bool same_compiler) {
    QuantityComparison result;
    for (const Family family : families) {
        const Numbers after = quantities_of(family, changed);
        for (const auto& [quantity, value] : quantities_of(family, base)) {
            const auto found = after.find(quantity);
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

}  // namespace camber::compare
