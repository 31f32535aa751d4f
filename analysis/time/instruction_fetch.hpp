// Instruction fetch rate of a warp, by the size of the loop that it runs.
#pragma once

#include <utility>
#include <vector>

#include "harness/results/ceilings.hpp"

namespace camber {

// An SM keeps so much of a text near. What is longer comes, instruction by instruction,
// from a cache further away (results/experiments/instruction_fetch.txt; Jia, Maggioni, Staiger and
// Scarpazza 2018, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", found
// levels, too, the second of 128 KiB).
class InstructionFetch {
  public:
    struct Point {
        double bytes = 0;   // of a loop
        double cycles = 0;  // for each instruction of a warp that is alone on its SM
    };

    InstructionFetch() = default;  // not known
    // By length, ascending.
    explicit InstructionFetch(std::vector<Point> points) : points_(std::move(points)) {}
    // `measured`: bytes of text that one warp on each of so many SMs gets.
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
