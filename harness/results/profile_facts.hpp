// Cases of a results document as the diagnosis takes them.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/profile/facts.hpp"

namespace camber {

// `context`: a document's context.camber. `benchmark`: an element of its benchmarks[] that was
// timed on a GPU (status "ok", backend "cuda"). Throws nlohmann::json::exception where either does
// not follow the schema.
profile::Facts profile_facts(const nlohmann::ordered_json& context,
                             const nlohmann::ordered_json& benchmark);

// The device's limits from what context.camber.ceilings holds, or the `ceilings` of a file that
// `camber ceilings --json` wrote.
profile::Ceilings profile_ceilings(const nlohmann::ordered_json& ceilings);

}  // namespace camber
