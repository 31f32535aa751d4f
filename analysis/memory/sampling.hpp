// Estimates the total of a data-dependent launch from a sample of its blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/memory/launch_model.hpp"

namespace camber {

struct TotalEstimate {
    double total = 0;
    double low = 0;  // 95 % interval
    double high = 0;
};

// `sample` numbers out of 0 .. blocks - 1, ascending: a simple random sample without replacement,
// every set equally likely (Floyd's algorithm, Bentley and Floyd 1987), the same for the same seed
// everywhere. Throws std::invalid_argument unless 0 <= sample <= blocks.
std::vector<std::int64_t> sample_blocks(std::int64_t blocks, std::int64_t sample,
                                        std::uint64_t seed);

// The total over N = `blocks` blocks of a count known for the n blocks of such a sample, with the
// t interval (Cochran 1977, sections 2.5 to 2.9):
//     N * mean  +-  t(n - 1) * N * sqrt(1 - n / N) * s / sqrt(n).
// The factor 1 - n / N is the finite-population correction; with n = N the total is exact. The
// lower end is at least what the sample alone has. The interval rests on the mean being nearly
// normal: with few blocks, or when some rare blocks hold most of the total, it covers the truth
// less often than 95 %. Throws std::invalid_argument without counts, with more than `blocks`, and
// with a single one of several blocks, from which no spread can be told.
TotalEstimate estimate_total(std::span<const std::int64_t> sampled_counts, std::int64_t blocks);

// A launch from a sample of its blocks, count by count, with the ends of each count's interval.
// Totals are rounded to the nearest whole number, the ends outwards. What is distinct in the whole
// launch does not follow from blocks: the `grid` members of reads and writes and distinct_sectors
// are 0.
struct LaunchEstimate {
    LaunchModel total;
    LaunchModel low;
    LaunchModel high;
};

// `sampled`: one model for each of the sampled blocks, those without an access too. Throws
// std::invalid_argument as estimate_total() does, and for models of different rule sets.
LaunchEstimate estimate_launch(std::span<const LaunchModel> sampled, std::int64_t blocks);

}  // namespace camber
