#include "workloads/lava/sciara_fv3/parameters.hpp"

#include <cmath>

#include "workloads/lava/parameters.hpp"

namespace camber::sciara_fv3 {
namespace {

using lava::not_negative;
using lava::positive;

double share(const ParameterSet& set, const char* name) {
    const double value = positive(set, name);
    if (value > 1) lava::reject(name, value, "a number above 0, at most 1");
    return value;
}

template <class R>
Law<R> law(const ParameterSet& set, double at_solid, double at_vent) {
    const lava::Temperatures t = lava::temperatures(set);
    const Law<double> exact = law_through(t.solid, at_solid, t.vent, at_vent);
    return {static_cast<R>(exact.a), static_cast<R>(exact.b)};
}

}  // namespace

Law<double> law_through(double temperature_0, double value_0, double temperature_1,
                        double value_1) {
    const double b = (std::log(value_1) - std::log(value_0)) / (temperature_1 - temperature_0);
    return {std::log(value_0) - b * temperature_0, b};
}

std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates) {
    return {{"clock_start", {1}, "s", "what counts as the duration of a step before the first"},
            {"clock_longest", {120}, "s", "duration that no cell's lava may exceed"},
            {"clock_relaxation", {0.5}, "", "share of the longest possible step that is made"},
            {"cell_side", {10}, "m", "side of a cell; an input's own"},
            {"t_sol", {1143}, "K", "temperature at which lava is solid"},
            {"t_vent", {1360}, "K", "temperature at a vent"},
            {"loss_sol", {0.5}, "", "share of the speed that is lost in a step, at t_sol"},
            {"loss_vent", {0.315}, "", "share of the speed that is lost in a step, at t_vent"},
            {"hc_sol", {23.066}, "m", "critical thickness at t_sol"},
            {"hc_vent", {1.014}, "m", "critical thickness at t_vent"},
            {"cooling", {1.507}, "", "factor of the heat that is radiated"},
            {"density", {2600}, "kg/m^3", "of lava"},
            {"emissivity", {0.9}, "", "of lava"},
            {"stefan_boltzmann", {5.68e-8}, "W/(m^2 K^4)", "Stefan and Boltzmann's constant"},
            {"heat_capacity", {1150}, "J/(kg K)", "of lava"},
            {"gravity", {9.81}, "m/s^2", "acceleration of free fall"},
            {"slot_length", {rates.slot_length}, "s", "time that an emission rate holds"},
            lava::vents_parameter(rates),
            lava::emission_rates_parameter(rates)};
}

template <class R>
OutflowParameters<R> outflow_parameters(const ParameterSet& set) {
    return {static_cast<R>(positive(set, "cell_side")), static_cast<R>(positive(set, "gravity")),
            law<R>(set, share(set, "loss_sol"), share(set, "loss_vent")),
            law<R>(set, positive(set, "hc_sol"), positive(set, "hc_vent"))};
}
template OutflowParameters<float> outflow_parameters<float>(const ParameterSet&);
template OutflowParameters<double> outflow_parameters<double>(const ParameterSet&);

template <class R>
CoolingParameters<R> cooling_parameters(const ParameterSet& set) {
    return {.emissivity = static_cast<R>(not_negative(set, "emissivity")),
            .stefan_boltzmann = static_cast<R>(positive(set, "stefan_boltzmann")),
            .cooling = static_cast<R>(not_negative(set, "cooling")),
            .density = static_cast<R>(positive(set, "density")),
            .heat_capacity = static_cast<R>(positive(set, "heat_capacity")),
            .side = static_cast<R>(positive(set, "cell_side")),
            .solid = static_cast<R>(lava::temperatures(set).solid)};
}
template CoolingParameters<float> cooling_parameters<float>(const ParameterSet&);
template CoolingParameters<double> cooling_parameters<double>(const ParameterSet&);

template <class R>
ClockParameters<R> clock_parameters(const ParameterSet& set) {
    return {static_cast<R>(positive(set, "clock_start")),
            static_cast<R>(positive(set, "clock_longest")),
            static_cast<R>(share(set, "clock_relaxation"))};
}
template ClockParameters<float> clock_parameters<float>(const ParameterSet&);
template ClockParameters<double> clock_parameters<double>(const ParameterSet&);

Emission emission_parameters(const ParameterSet& set) {
    Emission emission{.slot_length = positive(set, "slot_length"),
                      .vents = lava::number_of_vents(set),
                      .slots = 0,
                      .side = positive(set, "cell_side"),
                      .temperature = lava::temperatures(set).vent,
                      .rates = {}};
    if (emission.vents == 0) return emission;
    emission.rates = lava::emission_table(set, emission.vents);
    emission.slots = static_cast<int>(emission.rates.size()) / emission.vents;
    return emission;
}

double Emission::slot(double time) const {
    return std::floor(time / slot_length);
}

double Emission::rate(int vent, double time) const {
    const double j = slot(time);
    return j < slots ? rates[static_cast<std::size_t>(vent) * slots + static_cast<std::size_t>(j)]
                     : 0;
}

}  // namespace camber::sciara_fv3
