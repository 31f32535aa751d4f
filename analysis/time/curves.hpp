// Loaded latency by the bandwidth in use, and the delay of the last of several waits.
#pragma once

#include <optional>

#include "analysis/memory/bounds.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// Expected maximum of `values` samples of the standard normal distribution: 0 for one, 2.07 for 32
// (Harter 1961, "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

// Loaded latency: additional latency of an access while other accesses use the memory. At a
// utilization u of the bandwidth it is a * u / sqrt(1 - u). This form is empirical: for u from 0.13
// to 0.90 it yields a block's time within 3 % for loads of a word, by few and by many blocks on an
// H100 and an H200; up to 0.98 within 9 % for loads of two words. `a` increases with the share of
// writes and with the number of memory pieces that a block waits for.
class LoadedMemory {
  public:
    LoadedMemory() = default;
    // `reads`, `copies`: seconds for a block that waits for 8 pieces, for reads only and for half
    // writes. `further`: relative increase per standard deviation of the last piece's arrival.
    LoadedMemory(double reads, double copies, double further)
        : reads_(reads), copies_(copies), further_(further) {}

    // Additional latency relative to idle memory (`a` above), in seconds.
    double delay(double written_share, double pieces) const;
    static double growth(double use);

  private:
    double reads_ = 0;
    double copies_ = 0;
    double further_ = 0;
};

// Derived from the bandwidths with 1 and 4 resident blocks per SM: more blocks increase the time of
// each. `spread`: standard deviation of the DRAM latency, in seconds. Absent if these bandwidths
// were not measured.
std::optional<LoadedMemory> loaded_memory(const Ceilings& ceilings, int sm_count, double spread);

}  // namespace camber
