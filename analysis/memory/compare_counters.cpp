#include "analysis/memory/compare_counters.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

struct Correspondence {
    const char* quantity;
    const char* metric;
    std::optional<double> tolerance;
    bool may_be_less = false;
};

const Correspondence correspondences[] = {
    {"global_load_requests", metric::global_load_requests, std::nullopt},
    {"global_load_sectors", metric::global_load_sectors, std::nullopt},
    {"global_store_requests", metric::global_store_requests, std::nullopt},
    {"global_store_sectors", metric::global_store_sectors, std::nullopt},
    {"shared_load_wavefronts", metric::shared_load_wavefronts, wavefront_tolerance, true},
    {"shared_store_wavefronts", metric::shared_store_wavefronts, wavefront_tolerance},
};

}  // namespace

std::map<std::string, double> quantities(const AccessCounts& total) {
    std::map<std::string, double> values;
    const auto set = [&](const char* name, std::int64_t value) {
        values[name] = static_cast<double>(value);
    };
    set("global_load_requests", total.global_load.requests);
    set("global_load_sectors", total.global_load.sectors);
    set("global_load_bytes_moved", total.global_load.bytes_moved);
    set("global_load_bytes_used", total.global_load.useful_bytes);
    set("global_store_requests", total.global_store.requests);
    set("global_store_sectors", total.global_store.sectors);
    set("global_store_bytes_moved", total.global_store.bytes_moved);
    set("global_store_bytes_used", total.global_store.useful_bytes);
    set("shared_load_wavefronts", total.shared_load.passes);
    set("shared_load_bank_conflicts", total.shared_load.conflicts());
    set("shared_store_wavefronts", total.shared_store.passes);
    set("shared_store_bank_conflicts", total.shared_store.conflicts());
    return values;
}

namespace {

// Tolerance for stores, as a share of their prediction.
double store_tolerance(const std::map<std::string, double>& model, double predicted) {
    const auto loads = model.find("shared_load_wavefronts");
    if (loads == model.end() || predicted <= 0) return wavefront_tolerance;
    return std::max(wavefront_tolerance, lost_path_share * (loads->second + predicted) / predicted);
}

}  // namespace

std::vector<CounterComparison> compare_with_counters(
    const std::map<std::string, double>& model, const std::map<std::string, double>& counters) {
    std::vector<CounterComparison> comparisons;
    for (const Correspondence& pair : correspondences) {
        const auto predicted = model.find(pair.quantity);
        const auto measured = counters.find(pair.metric);
        if (predicted == model.end() || measured == counters.end()) continue;
        CounterComparison comparison{pair.quantity,    pair.metric,    predicted->second,
                                     measured->second, pair.tolerance, pair.may_be_less};
        if (std::string_view(pair.metric) == metric::shared_store_wavefronts)
            comparison.tolerance = store_tolerance(model, comparison.predicted);
        const double most = comparison.predicted * (1 + comparison.tolerance.value_or(0));
        comparison.agrees = comparison.measured <= most &&
                            (pair.may_be_less || comparison.measured >= comparison.predicted);
        comparisons.push_back(std::move(comparison));
    }
    return comparisons;
}

bool all_agree(const std::vector<CounterComparison>& comparisons) {
    return std::ranges::all_of(comparisons, &CounterComparison::agrees);
}

}  // namespace camber
