// The named sets of metrics, and what they are called on each chip.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace camber::counters {

class ChipMetrics;

struct MetricSet {
    std::string name;
    std::string summary;
    std::vector<std::string> metrics;  // as GH100 names them
};

// `memory`, `shared`, `compute` and, last, `all`.
const std::vector<MetricSet>& metric_sets();

struct ChosenMetric {
    std::string requested;  // the same on every chip: the key of results
    std::string name;       // the chip's own; "" where the chip does not have it

    bool available() const { return !name.empty(); }
};

// `choice`: names of sets and of metrics, separated by commas, e.g. "memory,sm__cycles_active.avg".
// Each metric is chosen once, in the order given. A metric of our sets that the chip lacks comes
// back as not available; any other that it lacks is an Error(usage) with near names.
std::vector<ChosenMetric> resolve(std::string_view choice, const ChipMetrics& chip);

// Those of `chosen` that kernels without textures need: the counters of the texture unit, which
// take passes of their own, are left out unless `choice` names them one by one.
std::vector<ChosenMetric> without_textures(std::vector<ChosenMetric> chosen,
                                           std::string_view choice);

// The chip's names of the available ones.
std::vector<std::string> chip_names(const std::vector<ChosenMetric>& metrics);

}  // namespace camber::counters
