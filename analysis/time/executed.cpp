#include "analysis/time/executed.hpp"

#include <algorithm>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr double a_few_rounds = 2;  // of a loop; with fewer iterations it resembles a branch

// True if a warp executes several iterations of a loop, rather than one or none.
bool has_rounds(const std::vector<RegionExecution>& regions) {
    return std::any_of(regions.begin() + 1, regions.end(),
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

}  // namespace

Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies, const ModelSettings& settings) {
    Amounts accesses = accesses_of_a_warp(counts, std::max(warps, 1.0));
    if (!settings.uses(Term::counted_rounds)) accesses.erase(std::string(text_counts::rounds));
    std::vector<results::CodeRegion> text{{0, code.instructions}};
    if (settings.uses(Term::loops))
        if (auto loops = counted_regions(code.regions, accesses); !loops.empty())
            text = std::move(loops);
    const auto regions = region_executions(text, accesses, copies, settings);
    Executions executed;
    if (!has_rounds(regions) && settings.uses(Term::paths))
        if (auto paths = paths_taken(code.basic_blocks, accesses)) {
            executed.instructions = std::move(paths->usual);
            executed.most = std::move(paths->most);
            return executed;
        }
    double apart = 0;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const RegionExecution& region = regions[r];
        if (r > 0 && !meets(text[r])) apart += waits_of(region.usual);
        for (const auto& [name, count] : region.usual) executed.instructions[name] += count;
        for (const auto& [name, count] : region.most) executed.most[name] += count;
        for (const auto& [name, count] : region.edge) executed.edge[name] += count;
        executed.rounds = std::max(executed.rounds, region.rounds);
    }
    if (apart > 0) executed.apart = apart / waits_of(executed.instructions);
    return executed;
}

}  // namespace camber
