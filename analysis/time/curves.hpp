// Device properties that change with the load: instruction fetch rate by loop size, and loaded
// latency by the bandwidth in use. largest_of() gives the delay of the last of several waits.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// Expected maximum of `values` samples of the standard normal distribution: 0 for one, 2.07 for 32
// (Harter 1961, "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

// Instruction fetch rate of a warp, by the size of its loop. Code beyond the capacity of an SM's
// instruction cache is fetched from a farther cache, instruction by instruction
// (results/experiments/instruction_fetch.txt; Jia, Maggioni, Staiger and Scarpazza 2018,
// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", also found levels, the
// second of 128 KiB).
class InstructionFetch {
  public:
    struct Point {
        double bytes = 0;   // code size of a loop
        double cycles = 0;  // per instruction of a single warp on its SM
    };

    InstructionFetch() = default;  // unknown rates
    // `points`: in ascending order of size.
    explicit InstructionFetch(std::vector<Point> points) : points_(std::move(points)) {}
    // `measured`: bytes of code per second that one warp on each of `sm_count` SMs fetches.
    InstructionFetch(const CeilingCurve& measured, int sm_count, double clock_hz);

    // Interpolates linearly. 0 if the rates are unknown.
    double cycles(double bytes) const;
    // Largest loop that is fetched nearly as fast as a short one.
    double cache_bytes() const;

  private:
    std::vector<Point> points_;
};

// For compute capability 7.0 and later.
inline constexpr double bytes_of_instruction = 16;

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
