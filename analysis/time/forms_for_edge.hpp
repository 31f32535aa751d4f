// Finds loops that replace other loops at the board's edge.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/results/case_record.hpp"

namespace camber {

// A longer loop beside another one, of which a round reads as much, and which a warp goes round far
// less often, is a form of it with tests for the board's edge.
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
