// Trends over commits as JSON, for the HTML page and for `camber history show --format json`.
#pragma once

#include <vector>

#include "analysis/history/trend.hpp"
#include "harness/record/archive.hpp"

namespace camber {

enum class HistoryDetail {
    all,
    drawn,  // without constant quantities of little interest; times rounded to six digits
};

// See results/schema/camber-history.schema.json, member "machines". A quantity with the same value
// at all commits has one "value" in place of "values".
results::Json history_json(const std::vector<history::MachineTrend>& trends, HistoryDetail detail);

}  // namespace camber
