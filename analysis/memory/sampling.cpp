#include "analysis/memory/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "analysis/memory/launch_counts.hpp"

namespace camber {
namespace {

// The 0.975 quantile of Student's t distribution: Hill 1970, Algorithm 396, whose error is below
// 1e-5 from three degrees of freedom on; closed forms for one and two.
double t_quantile_975(double degrees) {
    constexpr double tail = 0.05;  // both sides together
    if (degrees == 1) return 1 / std::tan(tail * std::numbers::pi / 2);
    if (degrees == 2) return std::sqrt(2 / (tail * (2 - tail)) - 2);
    constexpr double z = -1.959963984540054;  // the normal distribution's, lower
    const double a = 1 / (degrees - 0.5);
    const double b = 48 / (a * a);
    double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
    const double d = ((94.5 / (b + c) - 3) / b + 1) * std::sqrt(a * std::numbers::pi / 2) * degrees;
    double y = std::pow(d * tail, 2 / degrees);
    if (y > 0.05 + a) {
        double x = z;
        y = x * x;
        if (degrees < 5) c += 0.3 * (degrees - 4.5) * (x + 0.6);
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
        y = std::expm1(a * y * y);
    } else {
        y = ((1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) +
              0.5 / (degrees + 4)) *
                 y -
             1) *
                (degrees + 1) / (degrees + 2) +
            1 / y;
    }
    return std::sqrt(degrees * y);
}

// Uniform on 0 .. bound - 1; std::uniform_int_distribution differs between libraries.
std::int64_t below(std::mt19937_64& engine, std::int64_t bound) {
    const auto n = static_cast<std::uint64_t>(bound);
    const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n draws too many
    std::uint64_t draw = engine();
    while (draw < rejected) draw = engine();
    return static_cast<std::int64_t>(draw % n);
}

}  // namespace

std::vector<std::int64_t> sample_blocks(std::int64_t blocks, std::int64_t sample,
                                        std::uint64_t seed) {
    if (sample < 0 || sample > blocks) {
        throw std::invalid_argument("cannot sample " + std::to_string(sample) + " of " +
                                    std::to_string(blocks) + " blocks; sample between 0 and all");
    }
    std::mt19937_64 engine(seed);
    std::unordered_set<std::int64_t> chosen;
    for (std::int64_t last = blocks - sample; last < blocks; ++last) {
        if (!chosen.insert(below(engine, last + 1)).second) chosen.insert(last);
    }
    std::vector<std::int64_t> sorted(chosen.begin(), chosen.end());
    std::ranges::sort(sorted);
    return sorted;
}

TotalEstimate estimate_total(std::span<const std::int64_t> sampled_counts, std::int64_t blocks) {
    const auto n = static_cast<std::int64_t>(sampled_counts.size());
    if (n == 0 || n > blocks || (n == 1 && blocks > 1)) {
        throw std::invalid_argument("counts of " + std::to_string(n) + " of " +
                                    std::to_string(blocks) +
                                    " blocks give no interval; sample at least two, at most all");
    }
    double sum = 0;
    for (const std::int64_t count : sampled_counts) sum += static_cast<double>(count);
    if (n == blocks) return {sum, sum, sum};

    const double size = static_cast<double>(n);
    const double all = static_cast<double>(blocks);
    const double mean = sum / size;
    double squares = 0;
    for (const std::int64_t count : sampled_counts) {
        const double deviation = static_cast<double>(count) - mean;
        squares += deviation * deviation;
    }
    const double error = all * std::sqrt((1 - size / all) * squares / (size - 1) / size);
    const double reach = t_quantile_975(size - 1) * error;
    const double total = all * mean;
    return {total, std::max(total - reach, sum), total + reach};
}

LaunchEstimate estimate_launch(std::span<const LaunchModel> sampled, std::int64_t blocks) {
    std::map<int, AccessCounts> sites;  // of all blocks, without counts
    for (const LaunchModel& block : sampled) {
        if (block.rules != sampled.front().rules)
            throw std::invalid_argument(
                "blocks of one launch differ in rule set; model them alike");
        for (const SiteCounts& site : block.sites) sites[site.site];
    }
    LaunchModel skeleton;
    for (const LaunchModel& block : sampled)
        skeleton.cluster_barriers = std::max(skeleton.cluster_barriers, block.cluster_barriers);
    if (!sampled.empty()) skeleton.rules = sampled.front().rules;
    for (const auto& [site, none] : sites) skeleton.sites.push_back({site, none});

    // counts[k]: the k-th number of every sampled block.
    std::vector<std::vector<std::int64_t>> counts;
    for (const LaunchModel& block : sampled) {
        LaunchModel full = skeleton;
        full.blocks = block.blocks;
        full.counts = block.counts;
        full.rounds = block.rounds;
        full.reads = block.reads;
        full.writes = block.writes;
        for (DistinctCounts* counts : {&full.reads, &full.writes})
            counts->grid_sectors = counts->grid_bytes = 0;
        auto place = full.sites.begin();
        for (const SiteCounts& site : block.sites) {
            while (place->site != site.site) ++place;
            place->counts = site.counts;
        }
        std::size_t k = 0;
        for_each_count(full, [&](std::int64_t count) {
            if (k == counts.size()) counts.emplace_back();
            counts[k++].push_back(count);
        });
    }
    if (sampled.empty()) estimate_total({}, blocks);  // throws

    LaunchEstimate estimate{skeleton, skeleton, skeleton};
    std::vector<TotalEstimate> totals;
    totals.reserve(counts.size());
    for (const auto& count : counts) totals.push_back(estimate_total(count, blocks));
    const auto set = [&](LaunchModel& model, auto&& value) {
        std::size_t k = 0;
        for_each_count(model, [&](std::int64_t& count) {
            count = static_cast<std::int64_t>(value(totals[k++]));
        });
    };
    set(estimate.total, [](const TotalEstimate& e) { return std::round(e.total); });
    set(estimate.low, [](const TotalEstimate& e) { return std::floor(e.low); });
    set(estimate.high, [](const TotalEstimate& e) { return std::ceil(e.high); });
    return estimate;
}

}  // namespace camber
