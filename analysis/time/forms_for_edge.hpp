// Finds loops that replace other loops at the board's edge.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber {

// A longer loop is the boundary form of another one if its iterations read as much, and a warp
// iterates over it far less often.
class FormsForEdge {
  public:
    // `rounds`: of a warp on average, by region.
    FormsForEdge(const std::vector<results::CodeRegion>& regions, std::vector<double> rounds);

    bool is_form(std::size_t region) const { return usual_of(region).has_value(); }
    // Number of iterations of a warp at the board's edge.
    double rounds(std::size_t region) const;

  private:
    std::optional<std::size_t> usual_of(std::size_t form) const;

    std::vector<double> rounds_;
    std::vector<std::optional<std::size_t>> forms_;  // by region, in its place
};

}  // namespace camber
