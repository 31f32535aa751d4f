#include "analysis/time/code_regions.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr double lanes_of_a_warp = 32;
constexpr std::array<std::string_view, 7> kinds{"global_loads",     "global_stores", "shared_loads",
                                                "shared_stores",    "texture",       "atomics",
                                                text_counts::rounds};

int at_least(double bytes) {
    for (const int width : {1, 2, 4, 8})
        if (bytes <= width) return width;
    return 16;
}

void add(Amounts& amounts, std::string_view kind, const TransferCounts& counts) {
    if (counts.instructions == 0) return;
    const double bytes = static_cast<double>(counts.requested_bytes) /
                         static_cast<double>(counts.instructions) / lanes_of_a_warp;
    amounts[std::string(kind) + "_" + std::to_string(at_least(bytes))] +=
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
    if (counts.texture_load.instructions > 0)
        amounts["texture"] += static_cast<double>(counts.texture_load.instructions);
    if (const auto atomics = counts.global_atomic.instructions + counts.shared_atomic.instructions;
        atomics > 0)
        amounts["atomics"] += static_cast<double>(atomics);
}

}  // namespace

bool is_of(std::string_view name, std::string_view kind) {
    return name.starts_with(kind) && (name.size() == kind.size() || name[kind.size()] == '_');
}

bool is_access(std::string_view name) {
    return std::ranges::any_of(kinds, [&](std::string_view kind) { return is_of(name, kind); });
}

double total_of(const Amounts& amounts, std::string_view kind) {
    double sum = 0;
    for (const auto& [name, amount] : amounts)
        if (is_of(name, kind)) sum += amount;
    return sum;
}

Amounts text_of(const results::CodeRegion& region) {
    Amounts text;
    for (const auto& [name, count] : region.instructions) text[name] = static_cast<double>(count);
    return text;
}

std::vector<results::CodeRegion> counted_regions(const std::vector<results::CodeRegion>& regions,
                                                 const Amounts& accesses) {
    const std::string rounds(text_counts::rounds);
    std::vector<results::CodeRegion> left = regions;
    // Such loops are at the end of the list, inner loops after their enclosing ones.
    while (!accesses.contains(rounds) && !left.empty() && left.back().instructions.erase(rounds)) {
        const results::CodeRegion loop = left.back();
        left.pop_back();
        for (const auto& [name, count] : loop.instructions)
            left[static_cast<std::size_t>(loop.within)].instructions[name] += count;
    }
    if (left.size() < 2) left.clear();
    return left;
}

double amount_of(const Amounts& amounts, const std::string& name) {
    const auto found = amounts.find(name);
    return found == amounts.end() ? 0 : found->second;
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

namespace {

// Bytes that a lane accesses per iteration, for accesses of `kind`.
double bytes_of(const Amounts& text, std::string_view kind) {
    double bytes = 0;
    for (const auto& [name, count] : text)
        if (is_of(name, kind) && name.size() > kind.size())
            bytes += count * std::stod(name.substr(kind.size() + 1));
    return bytes;
}

double bytes_read(const results::CodeRegion& loop) {
    const Amounts text = text_of(loop);
    return bytes_of(text, "global_loads") + bytes_of(text, "shared_loads");
}

double total_in(const results::CodeRegion& loop) {
    return amount_of(text_of(loop), "total");
}

}  // namespace

FormsForEdge::FormsForEdge(const std::vector<results::CodeRegion>& regions,
                           std::vector<double> rounds)
    : rounds_(std::move(rounds)), forms_(regions.size()) {
    for (std::size_t usual = 1; usual < regions.size(); ++usual) {
        const double read = bytes_read(regions[usual]);
        if (read == 0) continue;
        for (std::size_t form = 1; form < regions.size(); ++form)
            if (regions[form].within == regions[usual].within &&
                bytes_read(regions[form]) == read &&
                total_in(regions[form]) > total_in(regions[usual]) &&
                rounds_[form] < rounds_[usual] / 2)
                forms_[usual] = form;
    }
}

std::optional<std::size_t> FormsForEdge::usual_of(std::size_t form) const {
    const auto found = std::ranges::find(forms_, std::optional(form));
    if (found == forms_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - forms_.begin());
}

double FormsForEdge::rounds(std::size_t region) const {
    return forms_[region] ? 0 : rounds_[usual_of(region).value_or(region)];
}

}  // namespace camber
