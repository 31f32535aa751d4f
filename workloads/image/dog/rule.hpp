// Differences of Gaussians: from two blurred images, or directly from the source image.
#pragma once

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {

// Difference of the more blurred and the less blurred image. (Balasalle 2011, section 5.3.2, does
// not say which one is subtracted; the order is that of Lowe 2004, equation 1.)
struct Difference {
    static constexpr const char* step = "difference";
    struct MoreBlurred : Input<float, 0> {
        static constexpr const char* field = "more_blurred";
        CAMBER_HD static constexpr float outside() { return 0.0f; }
    };
    struct LessBlurred : Input<float, 0> {
        static constexpr const char* field = "less_blurred";
        CAMBER_HD static constexpr float outside() { return 0.0f; }
    };
    struct Result : Output<float> {
        static constexpr const char* field = "difference";
    };
    using Inputs = InputList<MoreBlurred, LessBlurred>;
    using Outputs = OutputList<Result>;
    struct Parameters {};

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters&) {
        return at(MoreBlurred{}, 0, 0) - at(LessBlurred{}, 0, 0);
    }
};

// The two Gaussians of a difference. Their widths are the parameters "sigma_narrow" and
// "sigma_wide", in cells.
enum class Gaussian { narrow, wide };

// First two steps of the pipeline over blurred images, BlurTo<wide>, BlurTo<narrow>, Difference.
template <Gaussian gaussian>
struct BlurTo {
    static constexpr const char* step = gaussian == Gaussian::wide ? "wide_blur" : "narrow_blur";
    struct Blurred : Output<float> {
        static constexpr const char* field = gaussian == Gaussian::wide
                                                 ? Difference::MoreBlurred::field
                                                 : Difference::LessBlurred::field;
    };
    using Inputs = Blur::Inputs;
    using Outputs = OutputList<Blurred>;
    using Parameters = Blur::Parameters;
    static Parameters parameters(const ParameterSet& set);  // throws Error(usage) if not above 0

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        return Blur::next(at, parameters);
    }
};

// All three steps in one, bit by bit equal; the blurred images are never stored in memory.
struct FusedDog {
    static constexpr const char* step = "dog_image";
    using Inputs = Blur::Inputs;
    using Outputs = OutputList<Difference::Result>;
    struct Parameters {
        float wide[9];
        float narrow[9];
    };
    static Parameters parameters(const ParameterSet& set);  // throws Error(usage) if not above 0

    template <class At>
    CAMBER_HD static float next(const At& at, const Parameters& parameters) {
        const float cells[9] = {at(-1, -1), at(0, -1), at(1, -1),  //
                                at(-1, 0),  at(0, 0),  at(1, 0),   //
                                at(-1, 1),  at(0, 1),  at(1, 1)};
        return weighted_sum(parameters.wide, cells) - weighted_sum(parameters.narrow, cells);
    }
};

}  // namespace camber
