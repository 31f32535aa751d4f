// Device properties that change with the load: instruction fetch rate by loop size, and loaded
// latency by the bandwidth in use. largest_of() gives the delay of the last of several waits.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "harness/record/ceilings.hpp"

namespace camber {

// Expected maximum of several normally distributed values.

// Expected maximum of `values` samples of the standard normal distribution: 0 for one, 2.07 for 32
// (Harter 1961, "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

// Instruction fetch rate of a warp, by the size of the loop that it runs.

// Instruction cache of an SM. Code beyond its capacity is fetched from a farther cache, instruction
// by instruction (results/experiments/instruction_fetch.txt; Jia, Maggioni, Staiger and Scarpazza
// 2018, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", also found levels,
// the second of 128 KiB).
class InstructionFetch {
  public:
    struct Point {
        double bytes = 0;   // of a loop
        double cycles = 0;  // for each instruction of a warp that is alone on its SM
    };

    InstructionFetch() = default;  // not known
    // By length, ascending.
    explicit InstructionFetch(std::vector<Point> points) : points_(std::move(points)) {}
    // `measured`: bytes of code per second that one warp on each of `sm_count` SMs fetches.
    InstructionFetch(const CeilingCurve& measured, int sm_count, double clock_hz);

    // In between, in proportion. 0 where it is not known.
    double cycles(double bytes) const;
    // The longest text that comes as fast as a short one, nearly.
    double cache_bytes() const;

  private:
    std::vector<Point> points_;
};

// From compute capability 7.0 on.
inline constexpr double bytes_of_instruction = 16;

// Loaded latency: additional time of a memory access while other accesses use the memory.

// A share u of the bandwidth in use delays an access by a * u / sqrt(1 - u). That is no theory's
// form: from 0.13 to 0.90 it gives a block's time within 3 % for loads of a word, by few and by
// many blocks on an H100 and an H200; up to 0.98 within 9 % for loads of two. `a` grows with what
// is written among it, and with the pieces of memory of which a block waits for the last.
class LoadedMemory {
  public:
    LoadedMemory() = default;
    // Seconds, of a block that waits for 8 pieces, where all is read and where half is written.
    // `further`: relative, for each standard deviation that the last lies farther out.
    LoadedMemory(double reads, double copies, double further)
        : reads_(reads), copies_(copies), further_(further) {}

    // Additional wait relative to idle memory, `a` above, in seconds.
    double delay(double written_share, double pieces) const;
    static double growth(double use);

  private:
    double reads_ = 0;
    double copies_ = 0;
    double further_ = 0;
};

// From bandwidths of blocks that have 1 or 4 places on an SM: the more there are, the
// longer each takes. `spread`: of DRAM's latency, a standard deviation in seconds. Nothing where
// they were not measured.
std::optional<LoadedMemory> loaded_memory(const Ceilings& ceilings, int sm_count, double spread);

}  // namespace camber
