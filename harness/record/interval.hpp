// A run from the start in parts, because a model that evolves costs more or less as it does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace camber::results {

// What one kernel took in an interval, per generation.
struct IntervalKernel {
    std::string name;
    double ns_per_generation = 0;
};

// Generations `first` + 1 to `last` of a run from the start.
struct Interval {
    int first = 0;
    int last = 0;
    std::vector<double> samples_ns;       // each of all its generations
    std::vector<IntervalKernel> kernels;  // empty where they could not be timed

    int generations() const { return last - first; }
};

// The cells at work at one time of the reference's run, and how many a launch has that goes over
// boxes around them, placed anew, or over a list of them; each with a ring of neighbours.
struct Activity {
    int generation = 0;
    std::int64_t active = 0;
    std::vector<std::int64_t> boxes;  // cells in one box, in up to two, in up to three...
    std::int64_t list = 0;
};

}  // namespace camber::results
