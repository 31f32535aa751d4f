// A profile as JSON: the facts that went in, the diagnosis that came out.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/profile/diagnosis.hpp"

namespace camber {

// {"variant", "facts": {...}, "figures": {...}, "resources": [...], "limit", "resource", "verdict",
// "paragraph", "rule"}. Units are part of the names; what is not known is absent.
nlohmann::ordered_json to_json(const profile::Facts& facts, const profile::Diagnosis& diagnosis);

}  // namespace camber
