// The picture of one warp's access, for a line of the source or a site of the table.
#pragma once

#include <optional>
#include <string>

#include "harness/predict/prediction.hpp"

namespace camber {

struct PictureRequest {
    std::string place;        // "rule.hpp:31", "31" or "s3" as the table numbers sites
    std::string block;        // "X,Y"; "": an interior block
    std::optional<int> warp;  // absent: the first that has the access
    std::string svg;          // a file; "": none
};

// Prints the picture as text and writes the SVG file. Throws Error(usage) for a place, block or
// warp that does not exist, naming those that do, and Error(unavailable) where the file cannot be
// written.
void show_picture(const PictureRequest& request, const Prediction& prediction,
                  const State& initial);

}  // namespace camber
