#include "harness/model/model_record.hpp"

#include <fmt/format.h>

#include "harness/model/summary.hpp"

namespace camber {

results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons) {
    const Architecture& architecture = prediction.architecture;
    results::ModelRecord record;
    record.arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    record.rules = to_string(architecture.rules);
    record.method = name(prediction.method);
    record.data_dependent = prediction.data_dependent;
    record.quantities = figures(prediction);
    if (!comparisons.empty()) record.agrees = all_agree(comparisons);
    return record;
}

}  // namespace camber
