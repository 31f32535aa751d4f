// Fast CPU reference of the 3x3 blur, bitwise equal to the rule evaluated cell by
// cell.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

// An image that rows of blurred cells are asked of; the cells beyond its edge are 0, or those of
// the opposite side.
class BlurSource {
  public:
    // `cells` must outlive it.
    BlurSource(std::span<const float> cells, Size size, Boundary boundary);

    // Writes the blurred cells of a row, size.columns of them, which must not be the source's.
    void blur_row(int row, const float (&weights)[9], float* blurred) const;

  private:
    const float* row(int row) const;  // of the source, or of what lies beyond its edge
    float blurred_at_edge(const float* const (&rows)[3], int column,
                          const float (&weights)[9]) const;

    std::span<const float> cells_;
    Size size_;
    Boundary boundary_;
    std::vector<float> outside_row_;
};

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. They must not overlap.
void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const float (&weights)[9], Boundary boundary, int threads);

}  // namespace camber
