#include "analysis/time/executed.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

// Share of the code assumed to be rarely executed; larger if at least every twelfth instruction is
// a branch.
constexpr double many_branches = 0.08;
constexpr double rarely_taken = 1.0 / 3;
constexpr double rarely_taken_with_many_branches = 3.0 / 4;

constexpr double a_few_rounds = 2;  // of a loop; with fewer iterations it resembles a branch

double rare_share(const results::Kernel& code) {
    const double all = instructions(code, {"total"});
    return all > 0 && instructions(code, {"control"}) >= many_branches * all
               ? rarely_taken_with_many_branches
               : rarely_taken;
}

// Share of the code that branches may skip without any effect on the access counts.
std::optional<double> skippable_share(const results::Kernel& code, const ModelSettings& settings) {
    const double all = instructions(code, {"total"});
    if (!settings.uses(Term::skippable)) return 0;
    if (all <= 0 || !code.instructions.contains("skippable")) return std::nullopt;
    return instructions(code, {"skippable"}) / all;
}

// Counted loads from shared memory are those of the source. The compiler keeps words in registers
// and emits fewer loads, but never fewer stores. Therefore more counted loads than loads in the
// code indicate a loop only if the stores do so, too.
double shared_loads(const AccessCounts& counts, double warps, const results::Kernel& code) {
    const auto loads = static_cast<double>(counts.shared_load.instructions);
    const double stores = static_cast<double>(counts.shared_store.instructions);
    const double stores_in_text = instructions(code, {"shared_stores"});
    if (stores == 0 || stores_in_text == 0) return loads;
    const double rounds = std::max(1.0, stores / warps / stores_in_text);
    return std::min(loads, rounds * warps * instructions(code, {"shared_loads"}));
}

// Number of memory instructions that `warps` warps execute.
double memory_instructions(const AccessCounts& counts, double warps, const results::Kernel& code) {
    return static_cast<double>(counts.instructions() - counts.constant_load.instructions -
                               counts.shared_load.instructions) +
           shared_loads(counts, warps, code);
}

// Share of the code that a warp executes in a kernel that stages words in shared memory and
// computes from one call site or several.
double share_of_staging(const AccessCounts& counts, double warps, const results::Kernel& code,
                        double copies) {
    const double all = instructions(code, {"total"});
    const double copying = instructions(code, {"global_loads", "shared_stores"});
    const double copied =
        static_cast<double>(counts.global_load.instructions + counts.shared_store.instructions) /
        warps;
    const double text_of_copying = std::min(all, 2 * copying);
    const double executed = copying > 0 ? std::min(1.0, copied / copying) : 1;
    return (text_of_copying * executed + (all - text_of_copying) * copies) / all;
}

// True if a warp executes several iterations of a loop, rather than one or none.
bool has_rounds(const std::vector<RegionExecution>& regions) {
    return std::any_of(regions.begin() + (regions.empty() ? 0 : 1), regions.end(),
                       [](const RegionExecution& loop) { return loop.rounds >= a_few_rounds; });
}

// True if warps of a block synchronize in a loop, or depend on each other's shared stores.
bool meets(const results::CodeRegion& loop) {
    return std::ranges::any_of(loop.instructions, [](const auto& each) {
        return each.second > 0 &&
               (each.first == "barriers" || each.first.starts_with("shared_stores"));
    });
}

double waits_of(const std::map<std::string, double>& amounts) {
    return amount_of(amounts, std::string(text_counts::memory_waits));
}

Executions by_paths(const PathExecution& paths, double all) {
    Executions executed;
    executed.instructions = paths.usual;
    executed.most = paths.most;
    executed.usual = amount_of(paths.usual, "total") / all;
    executed.low = executed.usual;
    executed.high = std::max(executed.usual, paths.high / all);
    return executed;
}

}  // namespace

double instructions(const results::Kernel& code, std::initializer_list<const char*> classes) {
    double sum = 0;
    for (const char* name : classes)
        if (const auto found = code.instructions.find(name); found != code.instructions.end())
            sum += static_cast<double>(found->second);
    return sum;
}

Executions executions(const AccessCounts& counts, double warps, const results::Kernel& code,
                      double copies, const ModelSettings& settings) {
    const double in_text =
        instructions(code, {"global_loads", "global_stores", "shared_loads", "shared_stores",
                            "local_loads", "local_stores", "texture", "atomics"});
    const auto skippable = skippable_share(code, settings);
    const double usual_share = 1 - skippable.value_or(0);
    const double low_share = 1 - skippable.value_or(rare_share(code));
    if (in_text == 0 || warps == 0) return {usual_share, low_share, 1, 1};
    const double ratio = memory_instructions(counts, warps, code) / warps / in_text;
    if (ratio > 1) return {ratio * usual_share, ratio * low_share, ratio, ratio};
    const double usual =
        counts.shared_store.instructions > 0 && instructions(code, {"shared_stores"}) > 0
            ? share_of_staging(counts, warps, code, copies)
            : std::sqrt(ratio);
    const double low = skippable ? ratio * usual_share : std::min(ratio, usual * low_share);
    return {usual * usual_share, low, 1, 1};
}

Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies, const ModelSettings& settings) {
    Executions executed = executions(counts.counts, warps, code, copies, settings);
    for (const auto& [name, count] : code.instructions)
        executed.instructions[name] = executed.usual * static_cast<double>(count);
    const double unskipped = 1 - skippable_share(code, settings).value_or(0);
    for (const auto& [name, count] : code.instructions)
        executed.most[name] = std::max(executed.usual, unskipped) * static_cast<double>(count);
    const double all = instructions(code, {"total"});
    if (warps == 0 || all == 0) return executed;
    Amounts accesses = accesses_of_a_warp(counts, warps);
    if (!settings.uses(Term::counted_rounds)) accesses.erase(std::string(text_counts::rounds));
    const auto loops = settings.uses(Term::loops) ? counted_regions(code.regions, accesses)
                                                  : std::vector<results::CodeRegion>();
    const auto regions = loops.empty() ? std::vector<RegionExecution>()
                                       : region_executions(loops, accesses, copies, settings);
    if (!has_rounds(regions) && settings.uses(Term::paths))
        if (const auto paths = paths_taken(code.basic_blocks, accesses))
            return by_paths(*paths, all);
    if (regions.empty()) return executed;
    executed.instructions.clear();
    executed.most.clear();
    executed.low = 0;
    executed.high = 0;
    double apart = 0;
    for (std::size_t place = 0; place < regions.size(); ++place) {
        const RegionExecution& region = regions[place];
        if (place > 0 && !meets(loops[place])) apart += waits_of(region.usual);
        for (const auto& [name, count] : region.usual) executed.instructions[name] += count;
        for (const auto& [name, count] : region.most) executed.most[name] += count;
        for (const auto& [name, count] : region.edge) executed.edge[name] += count;
        executed.low += region.low / all;
        executed.high += region.high / all;
        executed.rounds = std::max(executed.rounds, region.rounds);
    }
    if (apart > 0) executed.apart = apart / waits_of(executed.instructions);
    executed.usual = executed.instructions["total"] / all;
    executed.low = std::min(executed.low, executed.usual);
    executed.high = std::max(executed.high, executed.usual);
    return executed;
}

}  // namespace camber
