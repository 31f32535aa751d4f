// What `camber model` prints: a table of variants, and one variant by call site.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "harness/model/capture.hpp"
#include "harness/model/site_rows.hpp"

namespace camber {

struct ModelledVariant {
    Prediction prediction;
    double bytes_needed = 0;
    Bounds bounds;  // empty without ceilings
};

// One line per variant, per generation, fewest bytes moved first; at most 110 columns for names of
// up to 52 characters.
std::string model_table(std::vector<ModelledVariant> variants, bool with_bounds);

// One launch of one variant: totals, bounds, and its call sites, the most wasteful first and
// marked. `worst`: a request of that site, of which the sentence about it speaks.
std::string model_page(const ModelledVariant& variant, const std::optional<CapturedRequest>& worst);

// The sentence: what the site wastes and, from `example`, how its lanes lie.
std::string explain_waste(const SiteRow& row, const CallSite& site,
                          const std::optional<CapturedRequest>& example);

}  // namespace camber
