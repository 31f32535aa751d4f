#include "workloads/lava/magflow/parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"
#include "workloads/lava/parameters.hpp"

namespace camber::magflow {
namespace {

constexpr double day = 86400;  // s

}  // namespace

std::vector<double> gaussian_pulse(double highest, int days) {
    std::vector<double> rates;
    const double middle = days / 2.0 * day;
    const double deviation = days / 6.0 * day;
    for (int k = 0; k <= days; ++k) {
        const double distance = k * day - middle;
        rates.push_back(highest * std::exp(-(distance * distance) / (2 * (deviation * deviation))));
    }
    return rates;
}

Effusion effusion(const ParameterSet& set) {
    constexpr int most_days = 100'000;
    Effusion effusion;
    effusion.vents = lava::number_of_vents(set);
    if (effusion.vents == 0) return effusion;
    const auto vents = static_cast<std::size_t>(effusion.vents);
    std::vector<double> table = lava::emission_table(set, effusion.vents);
    const std::vector<double>& cells = set.values("vent_cells");
    if (cells.size() != vents)
        throw Error(ExitCode::usage,
                    fmt::format("parameter vents = {} is not the number of vent_cells, {}: leave "
                                "it as the input has it",
                                vents, cells.size()));
    effusion.shape.slot_length = lava::positive(set, "slot_length");
    effusion.shape.linear = lava::whole(set, "linear_rates", 0, 1) == 1;
    const double pulse = lava::not_negative(set, "pulse");
    if (pulse > 0) {
        const auto days = static_cast<int>(lava::whole(set, "pulse_days", 1, most_days));
        const std::vector<double> curve = gaussian_pulse(pulse, days);
        effusion.shape.slot_length = day;
        effusion.shape.linear = true;
        table.clear();
        for (std::size_t vent = 0; vent < vents; ++vent)
            table.insert(table.end(), curve.begin(), curve.end());
    }
    const std::size_t slots = table.size() / vents;
    effusion.shape.slots = static_cast<int>(slots);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double count = cells[i / slots];
        // A vent outside the board has no cells; its rate is not used.
        effusion.rates.push_back(table[i] / (count > 0 ? count : 1));
    }
    return effusion;
}

namespace {

using lava::not_negative;
using lava::positive;

// The viscosity law has a pole and is invalid at lower temperatures.
lava::Temperatures temperatures(const ParameterSet& set, double pole) {
    const lava::Temperatures t = lava::temperatures(set);
    if (!(t.solid > pole))
        throw Error(ExitCode::usage,
                    fmt::format("parameter t_sol = {} is impossible: the viscosity of lava with "
                                "that much water is known above {} K",
                                t.solid, pole));
    return t;
}

double share_of_step(const ParameterSet& set) {
    const double share = positive(set, "step_share");
    if (!(share < 1)) lava::reject("step_share", share, "a number between 0 and 1");
    return share;
}

}  // namespace

std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates,
                                      const std::vector<double>& vent_cells) {
    return {
        {"cell_side", {10}, "m", "side of a cell; an input's own"},
        {"density", {2600}, "kg/m^3", "of lava"},
        {"heat_capacity", {1150}, "J/(kg K)", "of lava"},
        {"emissivity", {0.9}, "", "of lava"},
        {"t_vent", {1360}, "K", "temperature at a vent"},
        {"t_sol", {1073.15}, "K", "temperature at which lava solidifies"},
        {"water", {0.2}, "wt%", "water in the lava"},
        {"stefan_boltzmann", {5.670374419e-8}, "W/(m^2 K^4)", "Stefan and Boltzmann's constant"},
        {"gravity", {9.81}, "m/s^2", "acceleration of gravity"},
        {"step_share", {0.1}, "", "share of a cell's lava that may leave it in a step"},
        {"dt_max", {10}, "s", "longest step"},
        {"yield_offset",
         {0},
         "K",
         "taken off the temperature in the yield strength's law: 273.15 for degrees Celsius"},
        {"kahan", {1}, "", "1: sums of fluxes carry what rounding lost; 0: they do not"},
        {lag_parameter,
         {0},
         "",
         "1: a step is as long as the one before allowed, as --minimum lagged has it"},
        {"slot_length", {rates.slot_length}, "s", "time between two emission rates"},
        {"linear_rates",
         {0},
         "",
         "1: between the emission rates a vent's rate is linear; 0: each holds for a slot"},
        {"pulse",
         {0},
         "m^3/s",
         "above 0: every vent has a Gaussian pulse of this height instead of its rates"},
        {"pulse_days", {24}, "d", "length of the pulse, six of its standard deviations"},
        lava::vents_parameter(rates),
        {"vent_cells", vent_cells, "", "cells of each vent; an input's own"},
        lava::emission_rates_parameter(rates)};
}

double cell_area(const ParameterSet& set) {
    const double side = positive(set, "cell_side");
    return side * side;
}

double longest_step(const ParameterSet& set) {
    return positive(set, "dt_max");
}

bool compensated(const ParameterSet& set) {
    return lava::whole(set, "kahan", 0, 1) == 1;
}

bool lagged(const ParameterSet& set) {
    return lava::whole(set, lag_parameter, 0, 1) == 1;
}

template <class R>
FlowParameters<R> flow_parameters(const ParameterSet& set) {
    const double side = positive(set, "cell_side");
    const double water = positive(set, "water");
    const double shift = -499.31 + 28.74 * std::log(water);
    FlowParameters<R> p;
    p.shift = static_cast<R>(shift);
    p.numerator = static_cast<R>(5812.44 - 427.04 * water);
    p.yield_a = static_cast<R>(13.00997 + 0.0089 * not_negative(set, "yield_offset"));
    p.yield_b = static_cast<R>(0.0089);
    p.weight = static_cast<R>(positive(set, "density") * positive(set, "gravity"));
    p.area = static_cast<R>(cell_area(set));
    p.distance[0] = static_cast<R>(side);
    p.distance[1] = static_cast<R>(side * std::sqrt(2.0));
    p.share = static_cast<R>(share_of_step(set));
    p.longest_step = static_cast<R>(longest_step(set));
    p.vent_temperature = static_cast<R>(temperatures(set, -shift).vent);
    return p;
}

template <class R>
UpdateParameters<R> update_parameters(const ParameterSet& set) {
    const double area = cell_area(set);
    const double capacity = positive(set, "density") * positive(set, "heat_capacity");
    const double solid = positive(set, "t_sol");
    UpdateParameters<R> p;
    p.capacity = static_cast<R>(capacity);
    p.area = static_cast<R>(area);
    p.cell_capacity = static_cast<R>(capacity * area);
    p.solid_capacity = static_cast<R>(capacity * area * solid);
    p.radiation =
        static_cast<R>(not_negative(set, "emissivity") * positive(set, "stefan_boltzmann") * area);
    p.solid = static_cast<R>(solid);
    return p;
}

template FlowParameters<float> flow_parameters(const ParameterSet&);
template FlowParameters<double> flow_parameters(const ParameterSet&);
template UpdateParameters<float> update_parameters(const ParameterSet&);
template UpdateParameters<double> update_parameters(const ParameterSet&);

}  // namespace camber::magflow
