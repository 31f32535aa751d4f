// Bandwidth over working set, with substitutes for curves that were not measured.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/record/ceilings.hpp"

namespace camber {

// Kernels that measure a bandwidth curve, and the share of bytes that they write.
struct TrafficMix {
    std::string_view kernels;  // "copies"
    double written_share = 0;
    CeilingCurve Ceilings::*curve = nullptr;
};

namespace traffic {
inline constexpr TrafficMix reads{"reads", 0, &Ceilings::read};
inline constexpr TrafficMix triads{"triads", 1.0 / 3, &Ceilings::triad};
inline constexpr TrafficMix copies{"copies", 0.5, &Ceilings::copy};
inline constexpr TrafficMix writes{"writes", 1, &Ceilings::write};
}  // namespace traffic

// On a straight line through two points.
double between(double x, double x0, double y0, double x1, double y1);

// Between two sizes by their ratio; beyond the ends, the end's.
double bandwidth_at(const CeilingCurve& curve, double working_set);

struct StandInCurve {
    CeilingCurve curve;
    std::string source;  // "as that of copies", "between those of reads and copies"
};

// Substitute for a mix without a curve: interpolated between the nearest mixes that write less and
// more, or the nearest one if there is none on one side. nullopt if no mix has a curve.
std::optional<StandInCurve> stand_in_curve(const Ceilings& ceilings, const TrafficMix& mix);

}  // namespace camber
