// Checks a results document against its JSON Schema.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace camber {

// Violations of the JSON Schema (draft 7) in the file `schema`, as sentences that begin with a JSON
// pointer into `document`; empty if it conforms. One defect may yield several sentences. Types are
// strict: 1.0 is no integer. Throws std::runtime_error if the schema cannot be read or is invalid.
std::vector<std::string> schema_violations(const nlohmann::json& document,
                                           const std::filesystem::path& schema);

}  // namespace camber
