// The 3x3 blur, not separated into rows and columns: the rule.
#pragma once

#include <cmath>

#include "harness/base/target.hpp"
#include "workloads/rule.hpp"

namespace camber {

// |sum of weight x cell| over nine cells, row by row from the upper left one (correlation), in
// exactly this order of fused multiply-adds, so that every variant's last bit is defined
// (Balasalle 2011, section 5.3.1, gives the sum and the absolute value; the order is camber's).
CAMBER_HD inline float weighted_sum(const float (&weights)[9], const float (&cells)[9]) {
    float sum = weights[0] * cells[0];
    sum = fmaf(weights[1], cells[1], sum);
    sum = fmaf(weights[2], cells[2], sum);
    sum = fmaf(weights[3], cells[3], sum);
    sum = fmaf(weights[4], cells[4], sum);
    sum = fmaf(weights[5], cells[5], sum);
    sum = fmaf(weights[6], cells[6], sum);
    sum = fmaf(weights[7], cells[7], sum);
    sum = fmaf(weights[8], cells[8], sum);
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
    // "weights", or a Gaussian where "sigma" is above 0. Throws Error(usage) for a negative sigma
    // and for weights beyond the range of float.
    static Parameters parameters(const ParameterSet& set);

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const float cells[9] = {at(-1, -1), at(0, -1), at(1, -1),  //
                                at(-1, 0),  at(0, 0),  at(1, 0),   //
                                at(-1, 1),  at(0, 1),  at(1, 1)};
        return weighted_sum(parameters.weights, cells);
    }
};

}  // namespace camber
