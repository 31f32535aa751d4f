// Times and comparisons of runs from the start that are too long for the reference, as stored in
// result files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/verification.hpp"

namespace camber::results {

// Generations timed from one saved state of a run.
struct StateTimes {
    int generation = 0;              // of the state
    int generations = 0;             // timed by each sample
    std::vector<double> samples_ns;  // per sample
};

// Duration of a whole run, summed over saved states that are equally spaced in generations.
struct SummedRun {
    double ns = 0;  // of all generations
    // 95 % interval: spread of the samples, and change of the step time between the states.
    double low_ns = 0;
    double high_ns = 0;
    std::string states_by;  // variant and machine that computed the states
    std::vector<StateTimes> states;
    // Comparison with the reference some generations after each state; cells of all states.
    std::optional<Verification> verification;
};

// Final state of a run that continues beyond the generations that the reference computed.
struct EndComparison {
    // Maker of the state that this one was compared with; "": this case was the first.
    std::string with;
    std::optional<Verification> found;  // absent for the first
    // Relative difference between the lava on the board and the lava that was supplied.
    std::optional<double> mass_error;
};

}  // namespace camber::results
