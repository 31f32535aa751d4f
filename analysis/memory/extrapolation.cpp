#include "analysis/memory/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "analysis/memory/launch_model.hpp"

namespace camber {

// All numbers of a launch's model in one fixed order, so that code can extrapolate, add or estimate
// them without knowing their meaning.
template <class Visit>
void for_each_count(DistinctCounts& counts, Visit&& visit) {
    for (auto* count :
         {&counts.block_sectors, &counts.block_bytes, &counts.grid_sectors, &counts.grid_bytes}) {
        visit(*count);
    }
    for (std::int64_t& count : counts.returns) visit(count);
    for (std::int64_t& count : counts.of_others) visit(count);
}

template <class Visit>
void for_each_count(AccessCounts& counts, Visit&& visit) {
    for (TransferCounts* t :
         {&counts.global_load, &counts.global_store, &counts.global_atomic, &counts.texture_load,
          &counts.bulk_load, &counts.local_load, &counts.local_store}) {
        for (auto* count :
             {&t->requests, &t->transactions_32, &t->transactions_64, &t->transactions_128,
              &t->lines, &t->sectors, &t->bytes_moved, &t->useful_bytes, &t->instructions,
              &t->requested_bytes, &t->bank_passes}) {
            visit(*count);
        }
    }
    for (SharedCounts* s : {&counts.shared_load, &counts.shared_store, &counts.shared_atomic,
                            &counts.distributed_load, &counts.distributed_store,
                            &counts.distributed_atomic, &counts.constant_load}) {
        for (auto* count : {&s->passes, &s->minimum, &s->instructions}) visit(*count);
    }
    visit(counts.published.coalesced);
    visit(counts.published.uncoalesced);
}

template <class Visit>
void for_each_count(LaunchModel& launch, Visit&& visit) {
    visit(launch.blocks);
    for_each_count(launch.counts, visit);
    for (SiteCounts& site : launch.sites) for_each_count(site.counts, visit);
    for_each_count(launch.reads, visit);
    for_each_count(launch.writes, visit);
    visit(launch.distinct_sectors);
    visit(launch.rounds);
}

namespace {

std::string text(BoardSize size) {
    return std::to_string(size.columns) + " x " + std::to_string(size.rows);
}

void check_axis(const char* axis, std::int64_t target, const std::array<std::int64_t, 2>& sizes,
                std::int64_t period) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument(std::string("a board of ") + std::to_string(target) + " " +
                                    axis + why + "; plan boards for this size");
    };
    if (period < 1) refuse(" needs a period of at least 1");
    for (const std::int64_t size : sizes) {
        if ((target - size) % period != 0) {
            refuse(" is not congruent to " + std::to_string(size) + " modulo " +
                   std::to_string(period));
        }
    }
    if (sizes[0] == sizes[1] && target != sizes[0]) {
        refuse(" does not follow from boards of " + std::to_string(sizes[0]) + " " + axis +
               " alone");
    }
}

// Number of steps from the first to the second size needed to reach the target, as a fraction.
// Congruence makes both differences multiples of the period.
struct Steps {
    std::int64_t numerator, denominator;
};

Steps steps(std::int64_t target, const std::array<std::int64_t, 2>& sizes) {
    if (sizes[0] == sizes[1]) return {0, 1};
    const std::int64_t common = std::gcd(target - sizes[0], sizes[1] - sizes[0]);
    return {(target - sizes[0]) / common, (sizes[1] - sizes[0]) / common};
}

std::vector<std::int64_t> numbers(LaunchModel launch) {
    std::vector<std::int64_t> list;
    for_each_count(launch, [&](std::int64_t count) { list.push_back(count); });
    return list;
}

}  // namespace

AxisPlan plan_axis(std::int64_t target, std::int64_t region, std::int64_t repeat,
                   std::int64_t least) {
    const std::int64_t period = std::lcm(region, repeat);
    // Smallest size from `least` on that is congruent to the target.
    const std::int64_t first = least + ((target - least) % period + period) % period;
    const std::int64_t second = first + period;
    if (target <= second) return {{target, target}, period};
    return {{first, second}, period};
}

std::int64_t total_size(const std::array<std::int64_t, 2>& sizes) {
    return sizes[0] == sizes[1] ? sizes[0] : sizes[0] + sizes[1];
}

std::array<BoardSize, 4> BoardPlan::boards() const {
    return {BoardSize{columns[0], rows[0]}, BoardSize{columns[1], rows[0]},
            BoardSize{columns[0], rows[1]}, BoardSize{columns[1], rows[1]}};
}

std::optional<BoardPlan> plan_boards(BoardSize target, BoardSize region, std::int64_t element_bytes,
                                     std::int64_t row_alignment) {
    if (std::min({target.columns, target.rows, region.columns, region.rows, element_bytes,
                  row_alignment}) < 1) {
        throw std::invalid_argument(
            "a board of " + text(target) + " in regions of " + text(region) + ", " +
            std::to_string(element_bytes) + "-byte elements and rows aligned to " +
            std::to_string(row_alignment) + " bytes cannot be; give sizes of at least 1");
    }
    const std::int64_t line = std::lcm<std::int64_t>(line_bytes, row_alignment);
    const std::int64_t repeat = line / std::gcd(line, element_bytes);
    // Elements per line, rounded up: a warp's accesses to two rows must not share a line.
    const std::int64_t apart = (line_bytes + element_bytes - 1) / element_bytes;
    const AxisPlan columns = plan_axis(target.columns, region.columns, repeat,
                                       std::max(3 * region.columns, 2 * region.columns + apart));
    // If rows start at line boundaries, all of them are alike.
    const bool aligned_rows = row_alignment % line_bytes == 0;
    const AxisPlan rows =
        plan_axis(target.rows, region.rows, aligned_rows ? 1 : repeat, 3 * region.rows);
    const BoardPlan plan{columns.sizes, rows.sizes, {columns.period, rows.period}};

    // Total cells of all boards: product of the sums of their sides.
    const bool cheaper =
        static_cast<double>(total_size(plan.columns)) * static_cast<double>(total_size(plan.rows)) <
        static_cast<double>(target.columns) * static_cast<double>(target.rows);
    return cheaper ? std::optional(plan) : std::nullopt;
}

std::vector<std::int64_t> extrapolate(const BoardPlan& plan,
                                      const std::array<std::span<const std::int64_t>, 4>& counts,
                                      BoardSize target) {
    check_axis("columns", target.columns, plan.columns, plan.period.columns);
    check_axis("rows", target.rows, plan.rows, plan.period.rows);
    const Steps right = steps(target.columns, plan.columns);
    const Steps down = steps(target.rows, plan.rows);
    const std::size_t n = counts[0].size();
    for (const auto& list : counts) {
        if (list.size() != n) {
            throw std::invalid_argument("the boards have " + std::to_string(n) + " and " +
                                        std::to_string(list.size()) +
                                        " counts; give the same counts of each");
        }
    }

    std::vector<std::int64_t> result(n);
    const std::int64_t denominator = right.denominator * down.denominator;
    for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t origin = counts[0][k];
        const std::int64_t across = counts[1][k] - origin;
        const std::int64_t along = counts[2][k] - origin;
        const std::int64_t mixed = counts[3][k] - counts[2][k] - counts[1][k] + origin;
        const std::int64_t beyond = across * right.numerator * down.denominator +
                                    along * down.numerator * right.denominator +
                                    mixed * right.numerator * down.numerator;
        if (beyond % denominator != 0 || origin + beyond / denominator < 0) {
            throw std::invalid_argument(
                "count " + std::to_string(k) + " of a board of " + text(target) +
                " does not follow from the four boards, which give no whole number of at least 0; "
                "simulate it in full");
        }
        result[k] = origin + beyond / denominator;
    }
    return result;
}

LaunchModel extrapolate(const BoardPlan& plan, const std::array<LaunchModel, 4>& launches,
                        BoardSize target) {
    std::array<std::vector<std::int64_t>, 4> lists;
    for (std::size_t i = 0; i < 4; ++i) {
        const bool alike = launches[i].rules == launches[0].rules &&
                           std::ranges::equal(launches[i].sites, launches[0].sites, {},
                                              &SiteCounts::site, &SiteCounts::site);
        if (!alike) {
            throw std::invalid_argument(
                "the boards' launches differ in rule set or call sites; model one kernel under one "
                "rule set, on larger boards if some call sites occur on none");
        }
        lists[i] = numbers(launches[i]);
    }
    const std::vector<std::int64_t> counts =
        extrapolate(plan, {lists[0], lists[1], lists[2], lists[3]}, target);
    LaunchModel result = launches[0];
    auto next = counts.begin();
    for_each_count(result, [&](std::int64_t& count) { count = *next++; });
    return result;
}

namespace {

// The 0.975 quantile of Student's t distribution: Hill 1970, Algorithm 396, whose error is below
// 1e-5 from three degrees of freedom on; closed forms for one and two.
double t_quantile_975(double degrees) {
    constexpr double tail = 0.05;  // both tails
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
    const std::uint64_t rejected = (0 - n) % n;  // 2^64 mod n: redraw below this, against bias
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
