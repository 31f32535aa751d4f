// Google Benchmark as the engine of a session: each case of a study is a benchmark. It selects the
// cases (--benchmark_filter), lists them (--benchmark_list_tests), measures each several times
// (--benchmark_repetitions), mixes the repetitions of all cases in random order
// (--benchmark_enable_random_interleaving), and computes mean, median, deviation and variation over
// the repetitions. A benchmark has one iteration, a complete measurement of the case, because
// camber's sampler determines the number of samples.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/measure/case_runner.hpp"

namespace camber {

struct EngineEvents {
    // Returns true if an earlier session measured the case in that round. If absent, no case was
    // measured.
    std::function<bool(const Case&, int round)> done;
    std::function<void(const Case&)> starting;
    // Called after one measurement of a case. `repetition` (Google Benchmark's) and `round` (the
    // study's) count from 0.
    std::function<void(CaseResult&, int repetition, int round)> measured;
    std::function<void(const results::Aggregate&)> aggregated;
};

// Removes the flags that Google Benchmark accepts (--benchmark_*) from `arguments`. Throws
// Error(usage) for an unknown --benchmark_ flag. Returns the requested number of repetitions.
int configure_engine(std::vector<std::string>& arguments);

// True if the arguments contain --benchmark_list_tests, unless it is set to false.
bool asks_for_list(const std::vector<std::string>& arguments);

// Runs every case of the runner's study that passes the filter, once per round of the study. Throws
// Error(usage) if no case passes.
void run_cases(CaseRunner& runner, const EngineEvents& events);

// Prints the names of all cases that pass the filter, without preparing them; used if
// asks_for_list(). Throws Error(usage) if no case passes.
void list_cases(const Study& study);

}  // namespace camber
