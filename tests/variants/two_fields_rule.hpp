// Toy rule with all properties that a technique must not take for granted: two inputs with
// different types, radii and outside values, one of which is never written, and an output that is
// never read.
#pragma once

#include <cstdint>

#include "workloads/core/rule.hpp"

namespace camber {

// Heat spreads over the star of `HeatRadius`, slowed by the material around a cell. Every product
// is exact, so contraction of operations changes no bit.
template <int HeatRadius, int MaterialRadius>
struct TwoFields {
    struct Temperature : Input<float, HeatRadius> {
        static constexpr const char* field = "temperature";
        CAMBER_HD static constexpr float outside() { return -20.5f; }
    };
    struct Material : Input<std::uint8_t, MaterialRadius> {
        static constexpr const char* field = "material";
        CAMBER_HD static constexpr std::uint8_t outside() { return 200; }
    };
    struct NewTemperature : Output<float> {
        static constexpr const char* field = "temperature";
    };
    struct Mark : Output<std::int32_t> {
        static constexpr const char* field = "mark";
    };
    using Inputs = InputList<Temperature, Material>;
    using Outputs = OutputList<NewTemperature, Mark>;
    struct Parameters {
        float rate = 0.125f;  // a power of two
    };

    template <class At>
    CAMBER_HD static Values<float, std::int32_t> next(const At& at, const Parameters& parameters) {
        const float self = at(Temperature{}, 0, 0);
        float neighbours = 0;
        for (int d = 1; d <= HeatRadius; ++d)
            neighbours += at(Temperature{}, -d, 0) - at(Temperature{}, 0, -d) * 0.5f +
                          at(Temperature{}, d, 0) * 0.25f + at(Temperature{}, 0, d) * 2.0f;
        std::uint32_t mark = 0;  // position-dependent weights reveal a transposed read
        for (int drow = -MaterialRadius; drow <= MaterialRadius; ++drow)
            for (int dcol = -MaterialRadius; dcol <= MaterialRadius; ++dcol)
                mark = mark * 3 + at(Material{}, dcol, drow);
        const float corner = at(Temperature{}, HeatRadius, -HeatRadius);
        return {self + parameters.rate * neighbours,
                {static_cast<std::int32_t>(mark + (corner < self ? 1 : 0)), {}}};
    }
};

}  // namespace camber
