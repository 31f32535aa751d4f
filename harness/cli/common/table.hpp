// The ranked table that a run prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace camber {

// Of a results document: fastest first, then the cases that failed and that were skipped, each with
// its reason; of repeated measurements the one with the median time. On the simt backend, whose
// times say nothing of a GPU, the order is that of the document and no times are shown.
std::string ranking(const nlohmann::ordered_json& document);

// How many cases of a document have this status ("ok", "failed" or "skipped").
int cases_with(const nlohmann::ordered_json& document, const std::string& status);

}  // namespace camber
