// CPU reference of the 3x3 blur, bitwise equal to the rule evaluated cell by cell, with its weights
// and the series of blurred images that differences and extrema start from.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

// Weights of 3x3 blurs.

// (1 2 1; 2 4 2; 1 2 1) / 16, row by row: exact in float.
inline constexpr float binomial_weights[9] = {0.0625f, 0.125f,  0.0625f, 0.125f, 0.25f,
                                              0.125f,  0.0625f, 0.125f,  0.0625f};

// Sets exp(-(dx^2 + dy^2) / (2 sigma^2)) at the nine cells, divided by the sum of all nine in
// double, then rounded to T, float or double. `sigma` is in cells, above 0.
template <class T>
void set_gaussian_weights(T (&weights)[9], double sigma);

// Same for the parameter `name`. Throws Error(usage) if the parameter is not above 0.
void set_gaussian_weights(float (&weights)[9], const ParameterSet& set, std::string_view name);

// Fast CPU reference of the 3x3 blur, bitwise equal to the rule evaluated cell by cell.

struct SeparableWeights;

// Image whose blurred rows are computed on request. Cells beyond the edge are 0 or, on a torus,
// those of the opposite side. T is float or double.
template <class T>
class BlurSourceOf {
  public:
    // `cells` must outlive the object.
    BlurSourceOf(std::span<const T> cells, Size size, Boundary boundary);

    // Writes the size.columns blurred cells of a row to `blurred`, which must not overlap the
    // source. `weights` are nine, row by row, or SeparableWeights for float.
    template <class Weights>
    void blur_row(int row, const Weights& weights, T* blurred) const;

  private:
    const T* row(int row) const;  // source row, or its substitute beyond the edge
    template <class Weights>
    T blurred_at_edge(const T* const (&rows)[3], int column, const Weights& weights) const;

    std::span<const T> cells_;
    Size size_;
    Boundary boundary_;
    std::vector<T> outside_row_;
};
using BlurSource = BlurSourceOf<float>;

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. The two must not overlap.
void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const float (&weights)[9], Boundary boundary, int threads);
void blur_image(std::span<const double> cells, std::span<double> blurred, Size size,
                const double (&weights)[9], Boundary boundary, int threads);
void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const SeparableWeights& weights, Boundary boundary, int threads);

// Series of images blurred once, twice, and so on with binomial weights, 0 beyond the edge, on all
// CPU threads. Differences and extrema start from them.

// Sets blurs[k] to `image` blurred k + 1 times.
void fill_blurs(std::span<const float> image, Size size,
                const std::vector<std::span<float>>& blurs);

// Sets layers[k] to the image blurred k + 2 times minus the image blurred k + 1 times.
void fill_difference_layers(std::vector<float> image, Size size,
                            const std::vector<std::span<float>>& layers);

}  // namespace camber
