// A Gaussian blur of any radius: the rule, and its two passes over rows and columns.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

inline constexpr int largest_gaussian_radius = 16;

// The weights of 2 * radius + 1 cells in a row or a column, the first cell's first. The weight of a
// cell of the square is the product of its column's and its row's.
struct GaussianWeights {
    int radius = 1;
    float weights[2 * largest_gaussian_radius + 1] = {};

    // Weight d cells away: exp(-d^2 / (2 sigma^2)) in double, divided by the sum of all, rounded to
    // float. `sigma` is in cells; a `radius` of 0 stands for three times sigma, rounded up, at most
    // 16. Throws Error(usage) for what is no width and no radius.
    static GaussianWeights of(double sigma, double radius);
    // Weights for the parameters "sigma" and "radius".
    static GaussianWeights of(const ParameterSet& set);

    friend bool operator==(const GaussianWeights&, const GaussianWeights&) = default;
};

// Sums are nested: over the cells of each row of the square first, the leftmost first, then over
// the rows, the upper first, each a chain of fused multiply-adds that begins at 0. So the direct
// form and the one in two passes do the same roundings, and every variant's last bit is defined.
struct GaussianBlur {
    // Every board has the halo of the largest radius: a halo is part of a variant, and the radius
    // is part of the problem.
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

// The inner sums alone, and the outer ones of them: together what GaussianBlur computes.
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
    // Beyond the edge of a board that is no torus, all cells of a row are 0.
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
