// Instruction fetch rate of a warp, by the size of the loop that it runs.
#pragma once

#include <utility>
#include <vector>

#include "harness/record/ceilings.hpp"

namespace camber {

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

}  // namespace camber
