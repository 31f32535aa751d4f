#include <array>
#include <cmath>

#include "analysis/profile/diagnosis.hpp"
#include "analysis/profile/wording.hpp"
#include "harness/base/text.hpp"

namespace camber::profile {

namespace {

struct Cost {
    const char* what;
    std::optional<double> Amounts::*amount;
};

// What costs time; each per launch in Amounts.
constexpr std::array<Cost, 6> costs{{
    {"bytes read from DRAM", &Amounts::dram_read_bytes},
    {"bytes written to DRAM", &Amounts::dram_write_bytes},
    {"bytes at L2", &Amounts::l2_bytes},
    {"sectors at L1", &Amounts::l1_sectors},
    {"wavefronts of shared memory", &Amounts::shared_wavefronts},
    {"warp instructions", &Amounts::warp_instructions},
}};

// The same cost of two cases, per generation.
struct Ratio {
    std::string what;
    double first = 0;
    double second = 0;

    double size() const { return first > 0 && second > 0 ? std::abs(std::log(first / second)) : 0; }
    std::string text() const {
        return what + ", " + quantity(first) + " against " + quantity(second) +
               " per generation (" + decimal(first / second, 2) + "x)";
    }
};

}  // namespace

std::string compare(const Facts& first, const Facts& second) {
    const double times = second.time.median / first.time.median;
    std::string text = first.variant + " takes " + duration(first.time.median * 1e9) + ", " +
                       second.variant + " " + duration(second.time.median * 1e9) + ": " +
                       (times >= 1 ? decimal(times, 2) + " times as fast."
                                   : decimal(1 / times, 2) + " times as slow.");
    const bool overlap = first.time.low <= second.time.high && second.time.low <= first.time.high;
    if (overlap)
        text +=
            " The confidence intervals of the medians overlap, so the difference is not "
            "significant.";

    const Amounts of_first = amounts(first);
    const Amounts of_second = amounts(second);
    std::string only;  // what just one of them does at all
    Ratio most;
    Ratio with_time;  // the largest of those that the slower one has more of
    for (const Cost& cost : costs) {
        const auto& one = of_first.*cost.amount;
        const auto& other = of_second.*cost.amount;
        if (!one || !other) continue;
        const Ratio ratio{cost.what, *one / first.generations_per_launch,
                          *other / second.generations_per_launch};
        if ((ratio.first > 0) != (ratio.second > 0)) {
            if (only.empty())
                only = " Only " + (ratio.first > 0 ? first : second).variant + " has " + cost.what +
                       ", " + quantity(ratio.first + ratio.second) + " per generation.";
            continue;
        }
        if (ratio.size() > most.size()) most = ratio;
        if ((ratio.first < ratio.second) == (times > 1) && ratio.size() > with_time.size())
            with_time = ratio;
    }
    if (most.size() > 0) {
        text += " Largest difference: " + most.text();
        if (with_time.size() > 0 && with_time.what != most.what)
            text += "; largest one that agrees with the times: " + with_time.text();
        text += ".";
    }
    return text + only;
}

}  // namespace camber::profile
