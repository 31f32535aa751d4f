// What is known of one measured case, as far as a diagnosis of it needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/kernel_traffic.hpp"

namespace camber::profile {

// Seconds per generation.
struct Time {
    double median = 0;
    double low = 0;  // 95 % interval of the median
    double high = 0;
    std::int64_t samples = 0;
};

// What the compiler and the launch fixed.
struct Kernel {
    std::string name;
    int threads_per_block = 0;
    std::int64_t blocks = 0;
    std::optional<int> registers;  // per thread
    std::optional<std::int64_t> static_shared_bytes;
    std::optional<std::int64_t> dynamic_shared_bytes;
    std::optional<std::int64_t> local_bytes;  // per thread: spills and indexed arrays
    std::optional<double> occupancy;          // theoretical, 0 to 1
    // Machine instructions in the program text by class, with "total"; empty where unknown.
    std::map<std::string, std::int64_t> instructions;
};

// One of the kernels of a generation, by the device's own clock.
struct KernelTime {
    std::string name;
    double seconds = 0;  // per generation, of all its launches
};

struct Device {
    std::string name;
    int sm_count = 0;
    std::optional<double> sm_clock_hz;  // while the case ran, else the highest
    std::optional<double> l2_bytes;
};

// What the device reached itself, measured in the same run. Absent: not measured.
struct Ceilings {
    std::optional<double> copy;  // DRAM, bytes read plus bytes written per second
    std::optional<double> read;  // DRAM
    std::optional<double> write;
    std::optional<double> l2;  // bytes per second
    std::optional<double> l1;
    std::optional<double> shared;
    std::optional<double> fp32;  // flop/s, a fused multiply-add counts two
    std::optional<double> fp64;
    std::optional<double> logic;           // LOP3 of one thread per second: the ALU pipe
    std::optional<double> launch_seconds;  // per empty kernel
};

struct Facts {
    std::string variant;
    Device device;
    Ceilings ceilings;
    Time time;
    double cells = 0;              // computed by one generation
    double application_bytes = 0;  // that one generation must move: each cell read and written once
    int generations_per_launch = 1;
    std::optional<Kernel> kernel;
    std::vector<KernelTime> kernel_times;  // in order of first launch; empty where not measured
    // Of one launch, that is generations_per_launch generations, by the metric's name as GH100 has
    // it. Empty where counters were not read.
    std::map<std::string, double> counters;
    // The same launch kernel by kernel; empty where it has one kernel or kernels were not counted.
    std::vector<KernelTraffic> kernel_traffic;

    double seconds_per_launch() const { return time.median * generations_per_launch; }
};

}  // namespace camber::profile
