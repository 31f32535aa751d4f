// Google Benchmark as the engine: it filters, repeats and interleaves the cases.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/run/case_runner.hpp"

namespace camber {

// One of Google Benchmark's aggregates over the repetitions of a case (mean, median, stddev, cv).
struct Aggregate {
    std::string case_name;
    std::string name;
    int repetitions = 0;
    bool percentage = false;  // cv: a share, not a time
    double real_time = 0;     // nanoseconds per generation, or a share
    double cpu_time = 0;
};

struct EngineEvents {
    std::function<void(const Case&)> starting;
    // One measurement of a case is done; `repetition` (Google Benchmark's) and `round` (the
    // study's) count from 0.
    std::function<void(const CaseResult&, int repetition, int round)> measured;
    std::function<void(const Aggregate&)> aggregated;
};

// Takes out of `arguments` the flags that Google Benchmark knows (--benchmark_*). Throws
// Error(usage) for a --benchmark_ flag it does not know. Returns the number of repetitions asked
// for.
int configure_engine(std::vector<std::string>& arguments);

// Runs every case of the runner's study that the filter lets pass, once per round of the study.
// Throws Error(usage) when none passes.
void run_cases(CaseRunner& runner, const EngineEvents& events);

}  // namespace camber
