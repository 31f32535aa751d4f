// Rules of a Gaussian blur of any radius: over the whole square, and in two passes over rows and
// columns.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

inline constexpr int largest_gaussian_radius = 16;

// Weights of 2 * radius + 1 cells in a row or a column, in the order of the cells. The weight of a
// cell of the square is the product of its column's and its row's weight.
struct GaussianWeights {
    int radius = 1;
    float weights[2 * largest_gaussian_radius + 1] = {};

    // Returns weights for distance d: exp(-d^2 / (2 sigma^2)) in double, divided by the sum over
    // all cells, then rounded to float. `sigma` is in cells; a `radius` of 0 selects three times
    // sigma, rounded up, at most 16. Throws Error(usage) for an invalid sigma or radius.
    static GaussianWeights of(double sigma, double radius);
    // Weights for the parameters "sigma" and "radius".
    static GaussianWeights of(const ParameterSet& set);

    friend bool operator==(const GaussianWeights&, const GaussianWeights&) = default;
};

// Gaussian blur over the whole square. Sums are nested: first over the cells of each row, from the
// left, then over the rows, from the top. Each sum is a chain of fused multiply-adds that begins at
// 0. The direct form and the two-pass form therefore round in the same way, and the last bit is
// defined for every variant.
struct GaussianBlur {
    // All boards have the halo of the largest radius, because the halo is a property of the variant
    // and the radius a property of the problem.
    struct Image : Input<float, largest_gaussian_radius> {
        static constexpr const char* field = "image";
        CAMBER_HD static constexpr float outside() { return 0.0f; }
    };
    struct Blurred : Output<float> {
        static constexpr const char* field = "image";
    };
    using Inputs = InputList<Image>;
    using Outputs = OutputList<Blurred>;
    using Parameters = GaussianWeights;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        float sum = 0.0f;
        for (int drow = -radius; drow <= radius; ++drow) {
            float row_sum = 0.0f;
            for (int dcol = -radius; dcol <= radius; ++dcol)
                row_sum = fmaf(parameters.weights[radius + dcol], at(dcol, drow), row_sum);
            sum = fmaf(parameters.weights[radius + drow], row_sum, sum);
        }
        return sum;
    }
};

// Inner sums of GaussianBlur, along the rows. GaussianColumns adds the outer sums over them.
struct GaussianRows {
    static constexpr const char* step = "row_sums";
    struct RowSums : Output<float> {
        static constexpr const char* field = "row_sums";
    };
    using Inputs = GaussianBlur::Inputs;
    using Outputs = OutputList<RowSums>;
    using Parameters = GaussianWeights;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        float sum = 0.0f;
        for (int dcol = -radius; dcol <= radius; ++dcol)
            sum = fmaf(parameters.weights[radius + dcol], at(dcol, 0), sum);
        return sum;
    }
};

struct GaussianColumns {
    static constexpr const char* step = "column_sums";
    // The row sums beyond the edge of a closed board are 0, because all cells there are 0.
    struct RowSums : Input<float, largest_gaussian_radius> {
        static constexpr const char* field = GaussianRows::RowSums::field;
        CAMBER_HD static constexpr float outside() { return 0.0f; }
    };
    using Inputs = InputList<RowSums>;
    using Outputs = GaussianBlur::Outputs;
    using Parameters = GaussianWeights;
    static Parameters parameters(const ParameterSet& set) { return Parameters::of(set); }

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const int radius = parameters.radius;
        float sum = 0.0f;
        for (int drow = -radius; drow <= radius; ++drow)
            sum = fmaf(parameters.weights[radius + drow], at(0, drow), sum);
        return sum;
    }
};

}  // namespace camber
