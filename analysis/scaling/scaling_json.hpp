// A scaling analysis as an element of a results document's list "scaling".
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/scaling/analysis.hpp"

namespace camber::scaling {

// Fields and units: results/schema/camber-results.schema.json, definition "scaling". What does not
// exist (e at p = 1, a fit with too few points) is null or absent.
nlohmann::ordered_json scaling_json(const Analysis& analysis);

}  // namespace camber::scaling
