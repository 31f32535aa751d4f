// Checks a results document against its JSON Schema.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace camber {

// What in `document` violates the JSON Schema (draft 7) in the file `schema`, as sentences that
// start with the place in the document; empty when it conforms. One defect may give several
// sentences. Types are strict: 1.0 is no integer. Throws std::runtime_error when the schema cannot
// be read or understood.
std::vector<std::string> schema_violations(const nlohmann::json& document,
                                           const std::filesystem::path& schema);

}  // namespace camber
