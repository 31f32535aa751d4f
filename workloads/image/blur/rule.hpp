// Rules of the 3x3 blur: over the whole square, and separated into rows and columns.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

// Absolute value of the sum of weight x cell over nine cells, row by row from the upper left
// (correlation). The order of the fused multiply-adds is fixed, so that the last bit is defined for
// every variant (Balasalle 2011, section 5.3.1, gives the sum and the absolute value; the order is
// camber's).
//
// The functions below compute the sum in parts, as a stream of rows delivers the cells. `weights`
// are the three weights of the row.
CAMBER_HD inline float fused_sum(float a, float b, float sum) {
    return fmaf(a, b, sum);
}
CAMBER_HD inline double fused_sum(double a, double b, double sum) {
    return fma(a, b, sum);
}
template <class T>
CAMBER_HD inline T begin_sum(const T* weights, T left, T own, T right) {
    return fused_sum(weights[2], right, fused_sum(weights[1], own, weights[0] * left));
}
template <class T>
CAMBER_HD inline T add_to_sum(const T* weights, T left, T own, T right, T sum) {
    return fused_sum(weights[2], right,
                     fused_sum(weights[1], own, fused_sum(weights[0], left, sum)));
}
CAMBER_HD inline float magnitude(float sum) {
    return fabsf(sum);
}
CAMBER_HD inline double magnitude(double sum) {
    return fabs(sum);
}
template <class T>
CAMBER_HD inline T weighted_sum(const T (&weights)[9], const T (&cells)[9]) {
    T sum = begin_sum(weights, cells[0], cells[1], cells[2]);
    sum = add_to_sum(weights + 3, cells[3], cells[4], cells[5], sum);
    sum = add_to_sum(weights + 6, cells[6], cells[7], cells[8], sum);
    return magnitude(sum);
}

// T is float or double.
template <class T>
struct BlurOf {
    struct Image : Input<T, 1> {
        static constexpr const char* field = "image";
        CAMBER_HD static constexpr T outside() { return 0; }
    };
    struct Blurred : Output<T> {
        static constexpr const char* field = "image";
    };
    using Inputs = InputList<Image>;
    using Outputs = OutputList<Blurred>;
    static constexpr Rules rules = Rules::usual;
    struct Parameters {
        T weights[9];  // row by row
    };
    // Takes "weights", or Gaussian weights if "sigma" is above 0. Throws Error(usage) for a
    // negative sigma and for weights beyond the range of float.
    static Parameters parameters(const ParameterSet& set);

    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters& parameters) {
        const T cells[9] = {at(-1, -1), at(0, -1), at(1, -1),  //
                            at(-1, 0),  at(0, 0),  at(1, 0),   //
                            at(-1, 1),  at(0, 1),  at(1, 1)};
        return weighted_sum(parameters.weights, cells);
    }

    // Computation by rows: see workloads/core/rule.hpp.
    using PartialSum = T;
    CAMBER_HD static T sum_above(T left, T own, T right, const Parameters& parameters) {
        return begin_sum(parameters.weights, left, own, right);
    }
    CAMBER_HD static T sum_own(T sum, T left, T own, T right, const Parameters& parameters) {
        return add_to_sum(parameters.weights + 3, left, own, right, sum);
    }
    CAMBER_HD static T next_below(T sum, T left, T own, T right, const Parameters& parameters) {
        return magnitude(add_to_sum(parameters.weights + 6, left, own, right, sum));
    }
};
using Blur = BlurOf<float>;

// Weights that are products: the weight of a cell is across[column] * down[row].
struct SeparableWeights {
    float across[3];
    float down[3];
};

CAMBER_HD inline float row_sum(const SeparableWeights& weights, float left, float own,
                               float right) {
    return begin_sum(weights.across, left, own, right);
}
CAMBER_HD inline float weighted_sum(const SeparableWeights& weights, const float (&cells)[9]) {
    return begin_sum(weights.down, row_sum(weights, cells[0], cells[1], cells[2]),
                     row_sum(weights, cells[3], cells[4], cells[5]),
                     row_sum(weights, cells[6], cells[7], cells[8]));
}

// Blur by the rule "separable": sums of three cells along the rows, then of three such sums along
// the columns. A stream of rows computes each row sum once, so that a cell takes six operations
// instead of nine. Rounding differs from Blur's. Like GaussianBlur, and unlike Blur, it does not
// take the absolute value.
struct BlurSeparable : Blur {
    static constexpr Rules rules = Rules::others;
    static constexpr const char* name = "separable";
    using Parameters = SeparableWeights;
    // Factors of Blur's weights. Throws Error(usage) if they are not products.
    static Parameters parameters(const ParameterSet& set);

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const float cells[9] = {at(-1, -1), at(0, -1), at(1, -1),  //
                                at(-1, 0),  at(0, 0),  at(1, 0),   //
                                at(-1, 1),  at(0, 1),  at(1, 1)};
        return weighted_sum(parameters, cells);
    }

    // Computation by rows. The compiler recognizes the row sum that the three parts have in common.
    CAMBER_HD static float sum_above(float left, float own, float right,
                                     const Parameters& parameters) {
        return parameters.down[0] * row_sum(parameters, left, own, right);
    }
    CAMBER_HD static float sum_own(float sum, float left, float own, float right,
                                   const Parameters& parameters) {
        return fmaf(parameters.down[1], row_sum(parameters, left, own, right), sum);
    }
    CAMBER_HD static float next_below(float sum, float left, float own, float right,
                                      const Parameters& parameters) {
        return fmaf(parameters.down[2], row_sum(parameters, left, own, right), sum);
    }
};

}  // namespace camber
