// Whether samples fall into two groups, as times do that depend on where memory lies or on a clock.
#pragma once

#include <optional>
#include <span>

namespace camber {

struct TwoModes {
    double share_of_slow = 0;   // of the samples
    double slow_over_fast = 0;  // the ratio of the groups' medians
};

// The two groups that the widest gap between neighbouring samples parts, if it is most of the
// spread: each group has a tenth of the samples and two at least, the gap is more than half of what
// lies between the 5 % and the 95 % quantile, and more than 3 % of the median. Nothing otherwise,
// and of fewer than 8 samples. Throws std::invalid_argument where one is not finite.
std::optional<TwoModes> two_modes(std::span<const double> samples);

}  // namespace camber
