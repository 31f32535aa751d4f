// Fields of SCIARA-fv3, on the host and in rules. R is float or double.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/rule.hpp"
#include "workloads/lava/fields.hpp"

namespace camber::sciara_fv3 {

// Fields of SCIARA-fv3 on the host.

using namespace lava::fields;  // in float or double; altitude is below 0 if unknown

inline constexpr const char* momentum_x_field = "momentum_x";  // per area, to the east, m^2/s
inline constexpr const char* momentum_y_field = "momentum_y";  // per area, to the north, m^2/s
// Two elements of type double, whatever the cell type: the duration of the last step, 0 before the
// first, and the simulated time up to which lava was emitted, s.
inline constexpr const char* clock_field = "clock";
inline constexpr Size clock_size{2, 1};

// Entries of the reference's account, and entries that final states add.
inline constexpr const char* clamped_account = "clamped";  // flows with a distance out of range
inline constexpr const char* edge_account = "edge";        // cells at the edge that lava reached
inline constexpr const char* time_account = "time";        // since the start, s

// State without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, ElementType cell, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// Initializes the account with the totals of the state.
void open_account(State& state);

// Assigns values to the cells of a floating-point field, rounded to its type.
void assign(HostField& field, std::span<const double> values);
using lava::values_of;
double total(const HostField& field);

// Fields of SCIARA-fv3 in rules; R is float or double.

// Element type of a field with a single cell that every cell of the board reads.
template <class T>
struct Uniform {
    T value;
    CAMBER_HD constexpr Uniform(T of) : value(of) {}
    CAMBER_HD constexpr operator T() const { return value; }
};

// Altitude of the ground, m; below 0 if it is unknown, and beyond the edge.
template <class R, int Radius>
struct Altitude : FieldInput<R, Radius, altitude_field, -1> {};
template <class R>
struct NewAltitude : FieldOutput<R, altitude_field> {};

// Thickness of liquid lava, m.
template <class R, int Radius>
struct Thickness : FieldInput<R, Radius, thickness_field> {};
template <class R>
struct NewThickness : FieldOutput<R, thickness_field> {};

// Temperature of liquid lava, K.
template <class R, int Radius>
struct Temperature : FieldInput<R, Radius, temperature_field> {};
template <class R>
struct NewTemperature : FieldOutput<R, temperature_field> {};

// Momentum per area, m^2/s.
template <class R>
struct MomentumX : FieldInput<R, 0, momentum_x_field> {};
template <class R>
struct NewMomentumX : FieldOutput<R, momentum_x_field> {};
template <class R>
struct MomentumY : FieldInput<R, 0, momentum_y_field> {};
template <class R>
struct NewMomentumY : FieldOutput<R, momentum_y_field> {};

// Thickness of solid lava, m.
template <class R>
struct Solidified : FieldInput<R, 0, solidified_field> {};
template <class R>
struct NewSolidified : FieldOutput<R, solidified_field> {};

// Duration of the step, s: one cell for the whole board.
struct Clock : Input<Uniform<double>, 0> {
    static constexpr const char* field = clock_field;
    CAMBER_HD static constexpr Uniform<double> outside() { return 0.0; }
};

// Fields that are passed from one rule to the next and are not part of the state.

// Longest step that a cell allows, s.
inline constexpr const char* candidate_field = "candidate";
template <class R>
struct NewCandidate : FieldOutput<R, candidate_field> {};

// Outflow towards neighbor k in a step, m, and its speed on arrival, m/s. `slot` is its index among
// the flows.
namespace flow_detail {
inline constexpr const char* thickness[] = {"flow_n",  "flow_w",  "flow_e",  "flow_s",
                                            "flow_nw", "flow_sw", "flow_se", "flow_ne"};
inline constexpr const char* speed[] = {"speed_n",  "speed_w",  "speed_e",  "speed_s",
                                        "speed_nw", "speed_sw", "speed_se", "speed_ne"};
}  // namespace flow_detail
template <class R, int k>
struct Flow : Input<R, 1> {
    static constexpr int slot = k - 1;
    static constexpr const char* field = flow_detail::thickness[k - 1];
    CAMBER_HD static constexpr R outside() { return 0; }
};
template <class R, int k>
struct NewFlow : Output<R> {
    static constexpr const char* field = flow_detail::thickness[k - 1];
};
template <class R, int k>
struct Speed : Input<R, 1> {
    static constexpr int slot = 8 + k - 1;
    static constexpr const char* field = flow_detail::speed[k - 1];
    CAMBER_HD static constexpr R outside() { return 0; }
};
template <class R, int k>
struct NewSpeed : Output<R> {
    static constexpr const char* field = flow_detail::speed[k - 1];
};

}  // namespace camber::sciara_fv3

namespace camber {

template <>
constexpr ElementType element_of<sciara_fv3::Uniform<double>>() {
    return ElementType::float64;
}

}  // namespace camber
