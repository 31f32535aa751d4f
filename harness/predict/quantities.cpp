#include "harness/predict/quantities.hpp"

#include <algorithm>

#include "analysis/memory/compare_counters.hpp"

namespace camber {

namespace {

// The kernel with the most distinct bytes, or none where some are unknown.
const LaunchModel* largest_kernel(const Prediction& prediction) {
    const LaunchModel* largest = nullptr;
    for (const KernelPrediction& kernel : prediction.kernels) {
        if (kernel.low) return nullptr;
        if (!largest || kernel.model.compulsory_bytes() > largest->compulsory_bytes())
            largest = &kernel.model;
    }
    return largest;
}

}  // namespace

std::int64_t bytes_moved(const Prediction& prediction) {
    const AccessCounts total = prediction.counts();
    return total.global_load.bytes_moved + total.global_store.bytes_moved +
           total.global_atomic.bytes_moved + total.texture_load.bytes_moved +
           total.bulk_load.bytes_moved + total.local_load.bytes_moved +
           total.local_store.bytes_moved;
}

double bytes_needed(const Prediction& prediction, const Workload& workload) {
    return workload.facts().moved.bytes(prediction.problem.cell) *
           static_cast<double>(prediction.problem.size.cells()) *
           prediction.variant->info.shape.generations;
}

std::map<std::string, double> quantities(const Prediction& prediction) {
    std::map<std::string, double> values = quantities(prediction.counts());
    values["launches"] = static_cast<double>(prediction.kernels.size());
    std::int64_t block_bytes = 0;
    std::int64_t sampled = 0;
    for (const KernelPrediction& kernel : prediction.kernels) {
        block_bytes += kernel.model.block_bytes();
        sampled += kernel.sampled_blocks;
    }
    values["block_distinct_bytes"] = static_cast<double>(block_bytes);
    if (const LaunchModel* largest = largest_kernel(prediction)) {
        values["compulsory_dram_bytes"] = static_cast<double>(largest->compulsory_bytes());
        values["non_redundant_share"] = largest->non_redundant_share();
    }
    if (prediction.method != Method::sampled) return values;
    values["sampled_blocks"] = static_cast<double>(sampled);
    const auto low = quantities(prediction.low());
    const auto high = quantities(prediction.high());
    for (const char* name :
         {"global_load_requests", "global_load_sectors", "global_store_requests",
          "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts"}) {
        values[std::string(name) + "_low"] = low.at(name);
        values[std::string(name) + "_high"] = high.at(name);
    }
    return values;
}

Bounds bounds_of(const Prediction& prediction, const HardwareLimits& limits) {
    Bounds sum;
    const bool distinct_known = largest_kernel(prediction) != nullptr;
    for (const KernelPrediction& kernel : prediction.kernels) {
        for (const Bound& bound : time_bounds(kernel.model, limits).all) {
            if (bound.resource == Resource::dram && !distinct_known) continue;
            const auto same = std::ranges::find(sum.all, bound.resource, &Bound::resource);
            if (same == sum.all.end())
                sum.all.push_back(bound);
            else if (bound.resource == Resource::dram)
                same->seconds = std::max(same->seconds, bound.seconds);
            else
                same->seconds += bound.seconds;
        }
    }
    std::ranges::sort(sum.all, {}, &Bound::resource);
    return sum;
}

}  // namespace camber
