#include "harness/run/case_result.hpp"

#include <fmt/format.h>

namespace camber {

std::vector<std::string> describe_differences(const CaseResult& result) {
    std::vector<std::string> sentences;
    // An estimate from some of the blocks may differ.
    if (result.model && result.model->method == Method::sampled) return sentences;
    for (const CounterComparison& quantity : result.model_comparisons)
        if (!quantity.agrees && !quantity.tolerance)
            sentences.push_back(fmt::format(
                "model and counters differ: {}: {} is predicted to be {:.0f}, and {} reads {:.0f}",
                result.variant->info.name(), quantity.quantity, quantity.predicted, quantity.metric,
                quantity.measured));
    return sentences;
}

}  // namespace camber
