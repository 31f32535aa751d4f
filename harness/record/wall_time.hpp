// What the time of a run went to, from its start to its last case.
#pragma once

#include <array>
#include <string_view>

namespace camber::results {

// Seconds by the clock on the wall. What is done beside something else counts only as far as it is
// waited for, so that the parts make the total.
struct WallTime {
    double total = 0;
    double opening = 0;        // starting the program, opening the machine
    double initial_state = 0;  // making the board that every case starts from
    double reference = 0;      // the plain reference, and uploading its state
    double limits = 0;         // measuring the device's limits, or fetching those of an earlier run
    double verification = 0;
    double samples = 0;  // with warming up, finding their length, and judging whether they suffice
    double kernel_times = 0;
    double counters = 0;      // with the predictions that stand beside them
    double static_facts = 0;  // instructions of kernels
    double results_file = 0;
    double other = 0;

    WallTime& operator+=(const WallTime& more);
};

struct WallTimePart {
    std::string_view name;  // as a person reads it
    double WallTime::*seconds;
};

// All but the total, in the order of a run.
inline constexpr std::array<WallTimePart, 11> wall_time_parts{
    {{"opening", &WallTime::opening},
     {"initial state", &WallTime::initial_state},
     {"reference", &WallTime::reference},
     {"limits", &WallTime::limits},
     {"verification", &WallTime::verification},
     {"samples", &WallTime::samples},
     {"kernel times", &WallTime::kernel_times},
     {"counters", &WallTime::counters},
     {"static facts", &WallTime::static_facts},
     {"results file", &WallTime::results_file},
     {"other", &WallTime::other}}};

inline WallTime& WallTime::operator+=(const WallTime& more) {
    total += more.total;
    for (const WallTimePart& part : wall_time_parts) this->*part.seconds += more.*part.seconds;
    return *this;
}

}  // namespace camber::results
