#include "analysis/memory/extrapolate.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "analysis/memory/launch_counts.hpp"

namespace camber {
namespace {

std::string text(BoardSize size) {
    return std::to_string(size.columns) + " x " + std::to_string(size.rows);
}

struct AxisPlan {
    std::array<std::int64_t, 2> sizes;
    std::int64_t period;
};

AxisPlan plan_axis(std::int64_t target, std::int64_t region, std::int64_t repeat,
                   std::int64_t least) {
    const std::int64_t period = std::lcm(region, repeat);
    // The smallest size from `least` on that is congruent to the target.
    const std::int64_t first = least + ((target - least) % period + period) % period;
    const std::int64_t second = first + period;
    if (target <= second) return {{target, target}, period};
    return {{first, second}, period};
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

// How many steps from the first to the second size lead to the target, as a fraction. Congruence
// makes both multiples of the period.
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
    // Elements of a line, rounded up: a warp's accesses to two rows must not meet in a line.
    const std::int64_t apart = (line_bytes + element_bytes - 1) / element_bytes;
    const AxisPlan columns = plan_axis(target.columns, region.columns, repeat,
                                       std::max(3 * region.columns, 2 * region.columns + apart));
    // Rows that start where lines start all look alike.
    const bool aligned_rows = row_alignment % line_bytes == 0;
    const AxisPlan rows =
        plan_axis(target.rows, region.rows, aligned_rows ? 1 : repeat, 3 * region.rows);
    const BoardPlan plan{columns.sizes, rows.sizes, {columns.period, rows.period}};

    const auto cost = [](const std::array<std::int64_t, 2>& sizes) {
        return sizes[0] == sizes[1] ? sizes[0] : sizes[0] + sizes[1];
    };
    // The cells of all boards are the product of the sums of their sides.
    const bool cheaper =
        static_cast<double>(cost(plan.columns)) * static_cast<double>(cost(plan.rows)) <
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

}  // namespace camber
