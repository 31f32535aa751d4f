// Figures between measured ones: bandwidth over the working set, with substitutes for curves that
// were not measured; loaded latency by the bandwidth in use; and the delay of the last of several
// waits.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/memory/bounds.hpp"
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
inline constexpr std::array by_written_share{reads, triads, copies, writes};
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

// Expected maximum of `values` samples of the standard normal distribution: 0 for one, 2.07 for 32
// (Harter 1961, "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

// Loaded latency: additional latency of an access while other accesses use the memory. At a
// utilization u of the bandwidth it is a * u / sqrt(1 - u). This form is empirical: for u from 0.13
// to 0.90 it yields a block's time within 3 % for loads of a word, by few and by many blocks on an
// H100 and an H200; up to 0.98 within 9 % for loads of two words. `a` increases with the share of
// writes and with the number of memory pieces that a block waits for.
struct LoadedMemory {
    // Seconds for a block that waits for 8 pieces, for reads only and for half writes.
    double reads = 0;
    double copies = 0;
    double further = 0;  // relative increase per standard deviation of the last piece's arrival

    // Additional latency relative to idle memory (`a` above), in seconds.
    double delay(double written_share, double pieces) const;
    static double growth(double use);
};

// Derived from the bandwidths with 1 and 4 resident blocks per SM: more blocks increase the time of
// each. `spread`: standard deviation of the DRAM latency, in seconds. Absent if these bandwidths
// were not measured.
std::optional<LoadedMemory> loaded_memory(const Ceilings& ceilings, int sm_count, double spread);

}  // namespace camber
