// The fields of MAGFLOW as rules read and write them. R is float or double.
#pragma once

#include <cstdint>

#include "workloads/core/field_tags.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow {

// Altitude of the ground, m; a wall where there are no data.
template <class R, int Radius>
struct Altitude : Input<R, Radius> {
    static constexpr const char* field = "altitude";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr R outside() { return R(wall); }
};

// Thickness of solid lava, m.
template <class R, int Radius>
struct Solidified : FieldInput<R, Radius, lava::solidified_field> {};

// Thickness of fluid lava, m.
template <class R, int Radius>
struct Thickness : FieldInput<R, Radius, lava::thickness_field> {};

// Temperature of fluid lava, K.
template <class R, int Radius>
struct Temperature : FieldInput<R, Radius, lava::temperature_field> {};

// 0, or the number of the vent in the cell, from 1 on.
struct Vents : Input<std::uint8_t, 0> {
    static constexpr const char* field = "vents";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint8_t outside() { return 0; }
};

// Emission of a vent in this step, m^3/s; defined only in cells with a vent. Like the fields below,
// it is not part of the state: one rule passes it to the next.
template <class R>
struct Emission : Input<R, 0> {
    static constexpr const char* field = "emission";
    CAMBER_HD static constexpr R outside() { return 0; }
};

// Balance of what flows into a cell, m^3/s, and of its heat as volume times temperature, m^3 K/s.
template <class R>
struct NewVolumeFlux : Output<R> {
    static constexpr const char* field = "volume_flux";
};
template <class R>
struct NewHeatFlux : Output<R> {
    static constexpr const char* field = "heat_flux";
};
// The longest step that a cell allows, s.
template <class R>
struct NewStepLimit : Output<R> {
    static constexpr const char* field = "step_limit";
};

}  // namespace camber::magflow
