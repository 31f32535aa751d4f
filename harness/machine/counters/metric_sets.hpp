// Named metric sets, and their metric names on each chip.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace camber::counters {

class ChipMetrics;

struct MetricSet {
    std::string name;
    std::string summary;
    std::vector<std::string> metrics;  // GH100 names
};

// `memory`, `shared`, `compute` and, last, `all`.
const std::vector<MetricSet>& metric_sets();

struct ChosenMetric {
    std::string requested;  // name on every chip: the key in results
    std::string name;       // the chip's name; "" if the chip does not have it

    bool available() const { return !name.empty(); }
};

// `choice`: names of sets and of metrics, separated by commas, e.g. "memory,sm__cycles_active.avg".
// Each metric is chosen once, in the given order. A metric of our sets that the chip lacks is
// returned as unavailable; any other missing metric is an Error(usage) with similar names.
std::vector<ChosenMetric> resolve(std::string_view choice, const ChipMetrics& chip);

// Removes the metrics that kernels without textures do not need: counters of the texture unit take
// passes of their own, and are removed unless `choice` names them individually.
std::vector<ChosenMetric> without_textures(std::vector<ChosenMetric> chosen,
                                           std::string_view choice);

// The chip's names of the available metrics.
std::vector<std::string> chip_names(const std::vector<ChosenMetric>& metrics);

}  // namespace camber::counters
