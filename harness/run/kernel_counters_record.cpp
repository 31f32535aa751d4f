#include "harness/run/kernel_counters_record.hpp"

#include "harness/results/model_json.hpp"

namespace camber {

nlohmann::ordered_json kernel_counters_record(const CaseResult& result) {
    auto kernels = nlohmann::ordered_json::array();
    for (const KernelCounters& kernel : result.kernel_counters) {
        auto& json = kernels.emplace_back();
        json["name"] = kernel.name;
        json["symbol"] = kernel.symbol;
        json["counters"] = kernel.counters;
        if (!kernel.predicted) continue;
        Prediction alone = *result.model;
        alone.kernels = {result.model->kernels.at(*kernel.predicted)};
        json["model"] = model_record(alone, kernel.comparisons);
    }
    return kernels;
}

}  // namespace camber
