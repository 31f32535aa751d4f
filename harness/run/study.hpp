// A study: one problem, the variants to run on it, and how to measure them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend/devices.hpp"
#include "harness/registry/registry.hpp"
#include "harness/run/stopping_rule.hpp"
#include "workloads/workload.hpp"

namespace camber {

struct Study {
    const Workload* workload = nullptr;
    std::vector<const Variant*> variants;
    Problem problem;
    InitialConditions initial;
    int generations = 1;  // of the verified run
    Backend backend = Backend::simt;
    int device = 0;
    bool time = true;  // false: verify only (the simt backend's times mean nothing)
    ConfidenceParameters sampling;
    double seconds_per_sample = 0.002;  // at least; events cost about a microsecond
    std::string counters;  // metric sets and names to read on the cuda backend; "": none
    int cpu_threads = 0;   // of the reference and the host backends; 0: all
};

// Which technique speedups refer to: "life/global/16x16" for life.
std::string baseline_name(const Workload& workload);

// "life/halo/16x16/align128/16384x16384/uint32/cuda", with "/torus" where the board is one.
std::string case_name(const Study& study, const Variant& variant);

// Throws Error(unavailable) when host or device memory cannot hold the study's fields.
void check_memory(const Study& study, const Queue& queue);

}  // namespace camber
