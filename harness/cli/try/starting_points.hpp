// Plain kernels to begin with, one for each workload that takes candidates: the files in
// starting_points/, embedded when the program is built (cmake/Candidate.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace camber {

struct StartingPoint {
    std::string_view workload;
    std::string_view text;
};

const std::vector<StartingPoint>& starting_points();

}  // namespace camber
