// The fields of SCIARA-fv2 as rules read and write them.
#pragma once

#include <cstdint>

#include "workloads/core/field_tags.hpp"
#include "workloads/lava/fields.hpp"

namespace camber::sciara_fv2 {

// Altitude of the ground, m.
template <int Radius>
struct Altitude : FieldInput<double, Radius, lava::altitude_field> {};
struct NewAltitude : FieldOutput<double, lava::altitude_field> {};

// Thickness of liquid lava, m.
template <int Radius>
struct Thickness : FieldInput<double, Radius, lava::thickness_field> {};
struct NewThickness : FieldOutput<double, lava::thickness_field> {};

// K.
template <int Radius>
struct Temperature : FieldInput<double, Radius, lava::temperature_field> {};
struct NewTemperature : FieldOutput<double, lava::temperature_field> {};

// Thickness of solid lava, m.
struct Solidified : FieldInput<double, 0, lava::solidified_field> {};
struct NewSolidified : FieldOutput<double, lava::solidified_field> {};

// Not 0 for cells that take no part. All others have eight neighbors on the board.
template <int Radius>
struct Frame : Input<std::uint8_t, Radius> {
    static constexpr const char* field = "frame";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr std::uint8_t outside() { return 1; }
};

// Outflow towards neighbor k in a step, m. It is not part of the state: one rule passes it to the
// next.
namespace flow_detail {
inline constexpr const char* names[] = {"flow_n",  "flow_w",  "flow_e",  "flow_s",
                                        "flow_nw", "flow_sw", "flow_se", "flow_ne"};
}
template <int k>
struct Flow : Input<double, 1> {
    static constexpr const char* field = flow_detail::names[k - 1];
    CAMBER_HD static constexpr double outside() { return 0; }
};
template <int k>
struct NewFlow : Output<double> {
    static constexpr const char* field = flow_detail::names[k - 1];
};

}  // namespace camber::sciara_fv2
