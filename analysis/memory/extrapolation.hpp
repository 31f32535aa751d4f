// Counts of a large launch from less work than its full simulation: exactly from four small boards
// if addresses do not depend on data, or as an estimate with an interval from a sample of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/memory/launch_model.hpp"

namespace camber {

// Counts of a large launch from those of four small ones, exactly.
//
// If a kernel's addresses do not depend on its data, a board consists of blocks of few kinds:
// corners, edges, interior. Among boards whose columns, and whose rows, are congruent modulo a
// period after which the blocks' overhang and all addresses modulo a line repeat, the number of
// blocks of each kind is linear in the columns and in the rows. Every sum over blocks is then
//     a + b * columns + d * rows + e * columns * rows,
// which four boards determine.
struct BoardSize {
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    bool operator==(const BoardSize&) const = default;
};

// Boards to simulate for a target: every combination of two numbers of columns with two numbers of
// rows. If both numbers of an axis are equal, they are the target's, and that axis is not
// extrapolated.
struct BoardPlan {
    std::array<std::int64_t, 2> columns{};
    std::array<std::int64_t, 2> rows{};
    BoardSize period;

    // (c0, r0), (c1, r0), (c0, r1), (c1, r1): the order that extrapolate() takes. Equal boards need
    // one simulation only.
    std::array<BoardSize, 4> boards() const;
};

// Two numbers of columns, or of rows, to simulate, both congruent to the target's modulo `period`.
struct AxisPlan {
    std::array<std::int64_t, 2> sizes;
    std::int64_t period;
};

// Smallest sizes from `least` on for blocks of `region` cells whose addresses repeat after `repeat`
// cells; the target's own size twice if it is not larger than both.
AxisPlan plan_axis(std::int64_t target, std::int64_t region, std::int64_t repeat,
                   std::int64_t least);

// Sum of the different sizes.
std::int64_t total_size(const std::array<std::int64_t, 2>& sizes);

// Smallest boards from which the target's counts follow, for blocks that each compute `region`
// cells of `element_bytes`. The boards are
// - congruent to the target modulo lcm(region, k), where k is the smallest number of elements
//   whose bytes are a multiple of a 128-byte line and of `row_alignment` (the bytes to which rows
//   are padded; 1 if they are not). In the columns, k makes pitches grow by whole lines; in the
//   rows, it makes the phase of a row's address repeat for any pitch, and it is 1 if rows are
//   padded to whole lines;
// - at least three blocks on each side, so that corners, edges and interior all occur, which
//   suffices for kernels in which a block reads no farther than its neighbor blocks;
// - wide enough that a warp's accesses in one row share no line with its accesses in the next:
//   two regions and a line.
// nullopt: simulate the target in full, because it is not larger than the largest of these boards
// or has no more cells than all of them together. Throws std::invalid_argument for sizes below 1.
std::optional<BoardPlan> plan_boards(BoardSize target, BoardSize region, std::int64_t element_bytes,
                                     std::int64_t row_alignment = 1);

// counts[i][k]: the k-th count of plan.boards()[i]. Returns the target's counts. Exact as long as
// they and their products with the board's sizes fit into 64 bits. Throws std::invalid_argument if
// the target is not congruent to the boards modulo the period (or differs from them in an axis that
// the plan does not extrapolate), if the lists differ in length, or if a result is not an integer
// or is negative: then the counts are not bilinear, for instance because they depend on the data.
std::vector<std::int64_t> extrapolate(const BoardPlan& plan,
                                      const std::array<std::span<const std::int64_t>, 4>& counts,
                                      BoardSize target);

// Extrapolates all counts of a launch. Also throws if the four launches differ in rule set or
// sites.
LaunchModel extrapolate(const BoardPlan& plan, const std::array<LaunchModel, 4>& launches,
                        BoardSize target);

// Estimates the total of a data-dependent launch from a sample of its blocks.
struct TotalEstimate {
    double total = 0;
    double low = 0;  // 95 % interval
    double high = 0;
};

// `sample` numbers out of 0 .. blocks - 1, ascending: a simple random sample without replacement
// with all sets equally likely (Floyd's algorithm, Bentley and Floyd 1987), reproducible for equal
// seeds on all platforms. Throws std::invalid_argument unless 0 <= sample <= blocks.
std::vector<std::int64_t> sample_blocks(std::int64_t blocks, std::int64_t sample,
                                        std::uint64_t seed);

// Total over N = `blocks` blocks of a count that is known for n sampled blocks, with the t interval
// (Cochran 1977, sections 2.5 to 2.9):
//     N * mean  +-  t(n - 1) * N * sqrt(1 - n / N) * s / sqrt(n).
// The factor 1 - n / N is the finite-population correction; for n = N the total is exact. The lower
// end is at least the sample's own total. The interval assumes a nearly normal mean: with few
// blocks, or if some rare blocks contain most of the total, its coverage is below 95 %. Throws
// std::invalid_argument without counts, with more than `blocks` counts, and with a single one of
// several blocks, from which no spread can be estimated.
TotalEstimate estimate_total(std::span<const std::int64_t> sampled_counts, std::int64_t blocks);

// Counts of a launch estimated from sampled blocks, each with its interval. Totals are rounded to
// the nearest integer, the ends outwards. Launch-wide distinct bytes do not follow from blocks: the
// `grid` members of reads and writes and distinct_sectors are 0.
struct LaunchEstimate {
    LaunchModel total;
    LaunchModel low;
    LaunchModel high;
};

// `sampled`: one model for each sampled block, including those without an access. Throws
// std::invalid_argument like estimate_total(), and for models of different rule sets.
LaunchEstimate estimate_launch(std::span<const LaunchModel> sampled, std::int64_t blocks);

}  // namespace camber
