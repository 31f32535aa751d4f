// Rules of a Gaussian blur of any radius: over the whole square, and in two passes over rows and
// columns.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

inline constexpr int largest_gaussian_radius = 16;

// Weights of 2 * radius + 1 cells in a row or a column, in the order of the cells. The weight of a
// cell of the square is the product of its column's and its row's weight. T is float or double.
template <class T>
struct GaussianWeightsOf {
    int radius = 1;
    T weights[2 * largest_gaussian_radius + 1] = {};

    // Returns weights for distance d: exp(-d^2 / (2 sigma^2)) in double, divided by the sum over
    // all cells, then rounded to T. `sigma` is in cells; a `radius` of 0 selects three times
    // sigma, rounded up, at most 16. Throws Error(usage) for an invalid sigma or radius.
    static GaussianWeightsOf of(double sigma, double radius);
    // Weights for the parameters "sigma" and "radius".
    static GaussianWeightsOf of(const ParameterSet& set);

    friend bool operator==(const GaussianWeightsOf&, const GaussianWeightsOf&) = default;
};
using GaussianWeights = GaussianWeightsOf<float>;

CAMBER_HD inline float fused(float a, float b, float sum) {
    return fmaf(a, b, sum);
}
CAMBER_HD inline double fused(double a, double b, double sum) {
    return fma(a, b, sum);
}

// Gaussian blur over the whole square. Sums are nested: first over the cells of each row, from the
// left, then over the rows, from the top. Each sum is a chain of fused multiply-adds that begins at
// 0. The direct form and the two-pass form therefore round in the same way, and the last bit is
// defined for every variant.
template <class T>
struct GaussianBlurOf {
    // All boards have the halo of the largest radius, because the halo is a property of the variant
    // and the radius a property of the problem.
    struct Image : Input<T, largest_gaussian_radius> {
        static constexpr const char* field = "image";
        CAMBER_HD static constexpr T outside() { return 0; }
    };
    struct Blurred : Output<T> {
        static constexpr const char* field = "image";
    };
    using Inputs = InputList<Image>;
    using Outputs = OutputList<Blurred>;
    using Parameters = GaussianWeightsOf<T>;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        T sum = 0;
        for (int drow = -radius; drow <= radius; ++drow) {
            T row_sum = 0;
            for (int dcol = -radius; dcol <= radius; ++dcol)
                row_sum = fused(parameters.weights[radius + dcol], at(dcol, drow), row_sum);
            sum = fused(parameters.weights[radius + drow], row_sum, sum);
        }
        return sum;
    }
};
using GaussianBlur = GaussianBlurOf<float>;

// Inner sums of GaussianBlur, along the rows. GaussianColumns adds the outer sums over them.
template <class T>
struct GaussianRowsOf {
    static constexpr const char* step = "row_sums";
    struct RowSums : Output<T> {
        static constexpr const char* field = "row_sums";
    };
    using Inputs = typename GaussianBlurOf<T>::Inputs;
    using Outputs = OutputList<RowSums>;
    using Parameters = GaussianWeightsOf<T>;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        T sum = 0;
        for (int dcol = -radius; dcol <= radius; ++dcol)
            sum = fused(parameters.weights[radius + dcol], at(dcol, 0), sum);
        return sum;
    }
};
using GaussianRows = GaussianRowsOf<float>;

template <class T>
struct GaussianColumnsOf {
    static constexpr const char* step = "column_sums";
    // The row sums beyond the edge of a closed board are 0, because all cells there are 0.
    struct RowSums : Input<T, largest_gaussian_radius> {
        static constexpr const char* field = GaussianRowsOf<T>::RowSums::field;
        CAMBER_HD static constexpr T outside() { return 0; }
    };
    using Inputs = InputList<RowSums>;
    using Outputs = typename GaussianBlurOf<T>::Outputs;
    using Parameters = GaussianWeightsOf<T>;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        T sum = 0;
        for (int drow = -radius; drow <= radius; ++drow)
            sum = fused(parameters.weights[radius + drow], at(0, drow), sum);
        return sum;
    }
};
using GaussianColumns = GaussianColumnsOf<float>;

}  // namespace camber
