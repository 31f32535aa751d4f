// Google Benchmark as the engine: it filters, repeats and interleaves the cases.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/measure/case_runner.hpp"

namespace camber {

struct EngineEvents {
    // Whether an earlier session has measured the case in that round; absent: none has.
    std::function<bool(const Case&, int round)> done;
    std::function<void(const Case&)> starting;
    // One measurement of a case is done; `repetition` (Google Benchmark's) and `round` (the
    // study's) count from 0.
    std::function<void(CaseResult&, int repetition, int round)> measured;
    std::function<void(const results::Aggregate&)> aggregated;
};

// Takes out of `arguments` the flags that Google Benchmark knows (--benchmark_*). Throws
// Error(usage) for a --benchmark_ flag it does not know. Returns the number of repetitions asked
// for.
int configure_engine(std::vector<std::string>& arguments);

// Whether --benchmark_list_tests is among them, and not switched off.
bool asks_for_list(const std::vector<std::string>& arguments);

// Runs every case of the runner's study that the filter lets pass, once per round of the study.
// Throws Error(usage) when none passes.
void run_cases(CaseRunner& runner, const EngineEvents& events);

// Where asks_for_list(): prints the names of the cases that the filter lets pass. Nothing is
// prepared for them. Throws Error(usage) when none passes.
void list_cases(const Study& study);

}  // namespace camber
