// Rule of the 3x3 blur, not separated into rows and columns.
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
CAMBER_HD inline float begin_sum(const float* weights, float left, float own, float right) {
    return fmaf(weights[2], right, fmaf(weights[1], own, weights[0] * left));
}
CAMBER_HD inline float add_to_sum(const float* weights, float left, float own, float right,
                                  float sum) {
    return fmaf(weights[2], right, fmaf(weights[1], own, fmaf(weights[0], left, sum)));
}
CAMBER_HD inline float weighted_sum(const float (&weights)[9], const float (&cells)[9]) {
    float sum = begin_sum(weights, cells[0], cells[1], cells[2]);
    sum = add_to_sum(weights + 3, cells[3], cells[4], cells[5], sum);
    sum = add_to_sum(weights + 6, cells[6], cells[7], cells[8], sum);
    return fabsf(sum);
}

struct Blur {
    struct Image : Input<float, 1> {
        static constexpr const char* field = "image";
        CAMBER_HD static constexpr float outside() { return 0.0f; }
    };
    struct Blurred : Output<float> {
        static constexpr const char* field = "image";
    };
    using Inputs = InputList<Image>;
    using Outputs = OutputList<Blurred>;
    struct Parameters {
        float weights[9];  // row by row
    };
    // Takes "weights", or Gaussian weights if "sigma" is above 0. Throws Error(usage) for a
    // negative sigma and for weights beyond the range of float.
    static Parameters parameters(const ParameterSet& set);

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const float cells[9] = {at(-1, -1), at(0, -1), at(1, -1),  //
                                at(-1, 0),  at(0, 0),  at(1, 0),   //
                                at(-1, 1),  at(0, 1),  at(1, 1)};
        return weighted_sum(parameters.weights, cells);
    }

    // Computation by rows: see workloads/core/rule.hpp.
    using PartialSum = float;
    CAMBER_HD static float sum_above(float left, float own, float right,
                                     const Parameters& parameters) {
        return begin_sum(parameters.weights, left, own, right);
    }
    CAMBER_HD static float sum_own(float sum, float left, float own, float right,
                                   const Parameters& parameters) {
        return add_to_sum(parameters.weights + 3, left, own, right, sum);
    }
    CAMBER_HD static float next_below(float sum, float left, float own, float right,
                                      const Parameters& parameters) {
        return fabsf(add_to_sum(parameters.weights + 6, left, own, right, sum));
    }
};

}  // namespace camber
