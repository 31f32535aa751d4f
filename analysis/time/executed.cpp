#include "analysis/time/executed.hpp"

#include <algorithm>
#include <array>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr double a_few_rounds = 2;  // of a loop; with fewer iterations it resembles a branch
constexpr std::array<std::string_view, 7> kinds{"global_loads",     "global_stores", "shared_loads",
                                                "shared_stores",    "texture",       "atomics",
                                                text_counts::rounds};

void add(Amounts& amounts, std::string_view kind, const TransferCounts& counts) {
    if (counts.instructions == 0) return;
    const double bytes = static_cast<double>(counts.requested_bytes) /
                         static_cast<double>(counts.instructions) / warp_lanes;
    int width = 1;
    while (width < 16 && bytes > width) width *= 2;
    amounts[std::string(kind) + "_" + std::to_string(width)] +=
        static_cast<double>(counts.instructions);
}

void add(Amounts& amounts, std::string_view kind, const SharedCounts& counts) {
    if (counts.instructions == 0) return;
    const double passes =
        static_cast<double>(counts.minimum) / static_cast<double>(counts.instructions);
    const int width = passes > 2 ? 16 : passes > 1 ? 8 : 4;
    amounts[std::string(kind) + "_" + std::to_string(width)] +=
        static_cast<double>(counts.instructions);
}

void add(Amounts& amounts, const AccessCounts& counts) {
    add(amounts, "global_loads", counts.global_load);
    add(amounts, "global_stores", counts.global_store);
    add(amounts, "shared_loads", counts.shared_load);
    add(amounts, "shared_stores", counts.shared_store);
    if (const auto fetches = counts.texture_load.instructions; fetches > 0)
        amounts["texture"] += static_cast<double>(fetches);
    if (const auto atomics = counts.global_atomic.instructions + counts.shared_atomic.instructions;
        atomics > 0)
        amounts["atomics"] += static_cast<double>(atomics);
}

// True if warps of a block synchronize in a loop, or depend on each other's shared stores.
bool meets(const results::CodeRegion& loop) {
    return std::ranges::any_of(loop.instructions, [](const auto& each) {
        return each.second > 0 &&
               (each.first == "barriers" || each.first.starts_with("shared_stores"));
    });
}

}  // namespace

bool is_of(std::string_view name, std::string_view kind) {
    return name.starts_with(kind) && (name.size() == kind.size() || name[kind.size()] == '_');
}

bool is_access(std::string_view name) {
    return std::ranges::any_of(kinds, [&](std::string_view kind) { return is_of(name, kind); });
}

Amounts accesses_of_a_warp(const LaunchModel& counts, double warps) {
    Amounts amounts;
    if (counts.sites.empty()) add(amounts, counts.counts);
    for (const SiteCounts& site : counts.sites) add(amounts, site.counts);
    if (counts.rounds > 0)
        amounts[std::string(text_counts::rounds)] = static_cast<double>(counts.rounds);
    for (auto& [name, amount] : amounts) amount /= warps;
    return amounts;
}

std::vector<results::CodeRegion> counted_regions(std::vector<results::CodeRegion> regions,
                                                 const Amounts& accesses) {
    const std::string rounds(text_counts::rounds);
    // Such loops are at the end of the list, inner loops after their enclosing ones.
    while (!accesses.contains(rounds) && !regions.empty() &&
           regions.back().instructions.erase(rounds)) {
        const results::CodeRegion loop = std::move(regions.back());
        regions.pop_back();
        for (const auto& [name, count] : loop.instructions)
            regions[static_cast<std::size_t>(loop.within)].instructions[name] += count;
    }
    if (regions.size() < 2) regions.clear();
    return regions;
}

double copies_executed(const std::vector<SiteExecutions>& sites) {
    struct Copies {
        double count = 0;
        double executed = 0;
        double most = 0;
    };
    std::map<int, Copies> places;
    for (const SiteExecutions& site : sites) {
        Copies& copies = places[site.place];
        copies.count += 1;
        copies.executed += site.warps;
        copies.most = std::max(copies.most, site.warps);
    }
    double executed = 0;
    double all = 0;
    for (const auto& [place, copies] : places) {
        executed += copies.executed;
        all += copies.count * copies.most;
    }
    return all > 0 ? executed / all : 1;
}

Executions executions(const LaunchModel& counts, double warps, const results::Kernel& code,
                      double copies, const ModelSettings& settings) {
    Amounts accesses = accesses_of_a_warp(counts, std::max(warps, 1.0));
    if (!settings.uses(Term::counted_rounds)) accesses.erase(std::string(text_counts::rounds));
    std::vector<results::CodeRegion> text;
    if (settings.uses(Term::loops)) text = counted_regions(code.regions, accesses);
    if (text.empty()) text = {{0, code.instructions}};
    const auto regions = region_executions(text, accesses, copies, settings);
    // Several iterations of a loop, rather than one or none.
    const bool has_rounds =
        std::any_of(regions.begin() + 1, regions.end(),
                    [](const Executions& loop) { return loop.rounds >= a_few_rounds; });
    if (!has_rounds && settings.uses(Term::paths))
        if (auto paths = paths_taken(code.basic_blocks, accesses)) return *std::move(paths);
    Executions executed;
    double apart = 0;
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const Executions& region = regions[r];
        if (r > 0 && !meets(text[r]))
            apart += amount_of(region.instructions, text_counts::memory_waits);
        for (auto part : {&Executions::instructions, &Executions::most, &Executions::edge})
            for (const auto& [name, count] : region.*part) (executed.*part)[name] += count;
        executed.rounds = std::max(executed.rounds, region.rounds);
    }
    if (apart > 0)
        executed.apart = apart / amount_of(executed.instructions, text_counts::memory_waits);
    return executed;
}

}  // namespace camber
