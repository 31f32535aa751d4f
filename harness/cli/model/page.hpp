// Pages of `camber model`: a table of variants, one variant by call site, and the picture of one
// warp's access.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/time/kernel_time.hpp"
#include "harness/predict/capture.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber {

// Pages of `camber model`: a table of variants, and one variant by call site.
struct ModelledVariant {
    Prediction prediction;
    double bytes_needed = 0;
    Bounds bounds;  // empty without ceilings
    std::optional<PredictedTime> time;
    std::string no_time;  // reason for a missing time if a device was given
};

// Sort orders of a table of variants, the default first: "moved", "name", "time", ...
std::vector<std::string> model_orders();

// One line per variant, per generation, sorted by one of model_orders(): names alphabetically,
// amounts in ascending order. Has a column of texture accesses if a variant has some.
std::string model_table(std::vector<ModelledVariant> variants, bool with_bounds,
                        const std::string& order = "moved");

// Three digits and a letter: "1.18M", "492k", "96".
std::string brief_amount(double value);

// One line per variant: predicted time per generation with its interval, the resource that binds
// it, and the lower bound. The fastest first; variants without a time last.
std::string time_table(std::vector<ModelledVariant> variants);

// The variant that is predicted to be the fastest, or the set of variants among which it is, with
// the reliability of this order. "" if fewer than two predictions are certain.
std::string pick_line(const std::vector<ModelledVariant>& variants);

// "2048x2048 cells of uint32, boundary dead", or the arrays of an array problem.
std::string problem_text(std::string_view workload, const Problem& problem);

// One launch of one variant: totals, bounds, and its call sites, the most wasteful first and
// marked. `worst`: a typical request of the most wasteful site, which the last sentence explains.
std::string model_page(const ModelledVariant& variant, const std::optional<CapturedRequest>& worst);

// Picture of one warp's access for a source line or a call site of the table.
struct PictureRequest {
    std::string place;        // "rule.hpp:31", "31" or "s3" as the table numbers sites
    std::string block;        // "X,Y"; "": an interior block
    std::optional<int> warp;  // absent: the first warp that executes the access
    std::string svg;          // a file; "": none
};

// Prints the picture as text and writes the SVG file. Throws Error(usage) for a location, block or
// warp that does not exist, listing the existing ones, and Error(unavailable) if the file cannot be
// written.
void show_picture(const PictureRequest& request, const Prediction& prediction,
                  const State& initial);

}  // namespace camber
