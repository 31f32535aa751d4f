// What `camber model` prints: a table of variants, and one variant by call site.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/time/kernel_time.hpp"
#include "harness/model/capture.hpp"
#include "harness/model/site_rows.hpp"

namespace camber {

struct ModelledVariant {
    Prediction prediction;
    double bytes_needed = 0;
    Bounds bounds;  // empty without ceilings
    std::optional<PredictedTime> time;
    std::string no_time;  // why there is none, where a device was given
};

// What a table of variants can be sorted by, the usual one first: "moved", "name", "time", ...
std::vector<std::string> model_orders();

// One line per variant, per generation, sorted by one of model_orders(): names by the alphabet,
// amounts the smallest first. A column of texture accesses stands there where a variant has some.
std::string model_table(std::vector<ModelledVariant> variants, bool with_bounds,
                        const std::string& order = "moved");

// One line per variant: its predicted time of a generation, with its interval, what most of it goes
// to, and the bound on it. The fastest first; those without a time last.
std::string time_table(std::vector<ModelledVariant> variants);

// One launch of one variant: totals, bounds, and its call sites, the most wasteful first and
// marked. `worst`: a request of that site, of which the sentence about it speaks.
std::string model_page(const ModelledVariant& variant, const std::optional<CapturedRequest>& worst);

// The sentence: what the site wastes and, from `example`, how its lanes lie.
std::string explain_waste(const SiteRow& row, const CallSite& site,
                          const std::optional<CapturedRequest>& example);

}  // namespace camber
