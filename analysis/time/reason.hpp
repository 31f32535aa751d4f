// Explains why one predicted time is shorter than another.
#pragma once

#include <string>

#include "analysis/time/kernel_time.hpp"

namespace camber {

struct NamedTime {
    std::string name;     // of the variant
    PredictedTime time;   // of a launch
    int generations = 1;  // that it computes

    double seconds() const { return time.seconds / generations; }
};

// Contribution of each part to `slow` - `fast`, in seconds per generation: the part's difference
// times the derivative of the total half-way between the two. Parts that hardly count in either
// contribute little. The order is that of TimeResource.
std::vector<std::pair<TimeResource, double>> contributions(const NamedTime& fast,
                                                           const NamedTime& slow);

// "life/halo/64x4 beats life/shared_tile/64x4 by 190 us a generation (1.19 times as fast): latency
// costs life/shared_tile/64x4 214 us more, and the L1 and shared memory that it saves is worth 60
// us." A second sentence says where the intervals overlap, or a prediction is uncertain.
std::string reason(const NamedTime& a, const NamedTime& b);

}  // namespace camber
