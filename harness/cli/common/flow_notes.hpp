// What a run prints below its table of flows that were compared as a whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace camber {

// Whether cells of an element of benchmarks[] differ from the reference's and it passed as a whole.
bool decided_by_statistics(const nlohmann::ordered_json& benchmark);

// Of cases of a results document that passed, a line each: those that statistics decided, with the
// figures and their limits; the spread of those whose runs differ; and the fit with the real event
// where it is known, once where all have the same.
std::string flow_notes(const std::vector<const nlohmann::ordered_json*>& cases);

}  // namespace camber
