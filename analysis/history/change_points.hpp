// Change points of a series of measurements: E-divisive, the divisive hierarchical procedure of
// Matteson and James (2014), for one value per commit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace camber::history {

struct ChangePointRule {
    double significance = 0.05;  // a split with a larger p-value ends the search
    int permutations = 199;      // of each significance test
    std::uint64_t seed = 1;      // of the permutations
};

struct ChangePoint {
    std::size_t at = 0;  // index of the first value after the change
    double p = 1;        // estimated p-value of the split when it was found
};

// Minimum number of values between two change points. A change of the last value alone is
// therefore never found.
inline constexpr std::size_t min_segment = 2;

// Change points in ascending order. Repeatedly splits the segment whose halves have the largest
// scaled energy distance (exponent 1), while a permutation test within the segments calls the split
// significant. The result depends only on the values and the rule. Four values on either side of a
// change suffice to detect it at the default significance; three do not, because too few
// permutations differ. Throws std::invalid_argument if a value is not finite.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointRule& rule = {});

}  // namespace camber::history
