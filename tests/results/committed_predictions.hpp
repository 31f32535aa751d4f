// Predictions of today's model for cases of committed results.
#pragma once

#include <string>
#include <utility>

#include "harness/predict/prediction.hpp"
#include "harness/registry/registry.hpp"
#include "tests/results/committed_files.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::committed {

inline const Variant* variant_of(const CaseRecord& counted) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == counted.identity.variant &&
            info(variant.info.cell).name == counted.identity.cell &&
            variant.factories.contains(Backend::simt))
            return &variant;
    return nullptr;
}

// Predicts the case again. Its counts must not depend on the data, because none are loaded.
inline Prediction prediction_of(const Document& document, const CaseRecord& counted) {
    const Variant* variant = variant_of(counted);
    REQUIRE(variant != nullptr);
    const Workload* workload = find_workload(counted.identity.workload);
    ParameterSet parameters(workload->facts().parameters);
    for (const auto& [name, values] : counted.identity.workload_parameters)
        parameters.set(name, values);
    parameters.set_rule(counted.identity.rule);
    const Problem problem{counted.identity.size, *counted.identity.boundary, variant->info.cell,
                          std::move(parameters)};
    return predict(*variant, problem, {workload, {.size = problem.size, .cell = problem.cell}},
                   parse_architecture(document.run()->gpu->compute_capability));
}

}  // namespace camber::committed
