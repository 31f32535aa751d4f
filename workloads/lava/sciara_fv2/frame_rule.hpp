// Rule that clears the frame in a last step of its own, as in the public programs.
#pragma once

#include "workloads/lava/sciara_fv2/rules.hpp"

namespace camber::sciara_fv2 {

// Nothing stays on the frame.
struct FrameClearing {
    static constexpr const char* step = "frame";
    static constexpr bool closed = true;
    using Inputs = InputList<Thickness<0>, Temperature<0>, Frame<0>>;
    using Outputs = OutputList<NewThickness, NewTemperature>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static Values<double, double> next(const At& at, const Parameters&) {
        if (at(Frame<0>{}, 0, 0) != 0) return {0, {0, {}}};
        return {at(Thickness<0>{}, 0, 0), {at(Temperature<0>{}, 0, 0), {}}};
    }
};

}  // namespace camber::sciara_fv2
