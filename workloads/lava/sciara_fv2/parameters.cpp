#include "workloads/lava/sciara_fv2/parameters.hpp"

#include <cmath>

#include "workloads/lava/parameters.hpp"

namespace camber::sciara_fv2 {
namespace {

constexpr std::int64_t largest_count = 1'000'000'000;

using lava::not_negative;
using lava::positive;
using lava::whole;

Law law(const ParameterSet& set, const char* at_solid, const char* at_vent) {
    const lava::Temperatures t = lava::temperatures(set);
    return law_through(t.solid, positive(set, at_solid), t.vent, positive(set, at_vent));
}

double area(const ParameterSet& set) {
    const double side = positive(set, "cell_side");
    return side * side;
}

}  // namespace

Law law_through(double temperature_0, double value_0, double temperature_1, double value_1) {
    const double b = (std::log10(value_1) - std::log10(value_0)) / (temperature_1 - temperature_0);
    return {std::log10(value_0) - b * temperature_0, b};
}

std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates) {
    return {{"clock", {120}, "s", "duration of a step"},
            {"cell_side", {10}, "m", "side of a cell; an input's own"},
            {"t_sol", {1143}, "K", "temperature at which lava is solid"},
            {"t_vent", {1360}, "K", "temperature at a vent"},
            {"r_sol", {0.5}, "", "relaxation rate at t_sol"},
            {"r_vent", {0.95}, "", "relaxation rate at t_vent"},
            {"hc_sol", {40}, "m", "critical thickness at t_sol"},
            {"hc_vent", {1.5}, "m", "critical thickness at t_vent"},
            {"cooling", {2.8}, "", "factor of the heat that is radiated"},
            {"density", {2600}, "kg/m^3", "of lava"},
            {"emissivity", {0.9}, "", "of lava"},
            {"stefan_boltzmann", {5.68e-8}, "J/(m^2 s K^4)", "Stefan and Boltzmann's constant"},
            {"heat_capacity", {1150}, "J/(kg K)", "of lava"},
            {"slot_length", {rates.slot_length}, "s", "time that an emission rate holds"},
            lava::vents_parameter(rates),
            lava::emission_rates_parameter(rates),
            {first_step_parameter, {0}, "", "steps made before the run, since the start"},
            {"reference_stop",
             {0},
             "",
             "1: the run ends by the rule of the public implementations, not after a given number"},
            {"max_steps", {16000}, "", "steps that the rule does at least; 0: no such number"},
            {"reduce_interval", {1000}, "", "steps between two sums of the rule"},
            {"threshold", {1}, "m", "total thickness at which the rule ends a run"}};
}

OutflowParameters outflow_parameters(const ParameterSet& set) {
    return {positive(set, "cell_side"), law(set, "r_sol", "r_vent"), law(set, "hc_sol", "hc_vent")};
}

CoolingParameters cooling_parameters(const ParameterSet& set) {
    return {.emissivity = not_negative(set, "emissivity"),
            .stefan_boltzmann = positive(set, "stefan_boltzmann"),
            .clock = positive(set, "clock"),
            .cooling = not_negative(set, "cooling"),
            .density = positive(set, "density"),
            .heat_capacity = positive(set, "heat_capacity"),
            .area = area(set),
            .solid = lava::temperatures(set).solid};
}

Emission emission_parameters(const ParameterSet& set) {
    Emission emission{positive(set, "clock"),
                      area(set),
                      lava::temperatures(set).vent,
                      {},
                      whole(set, first_step_parameter, 0, largest_count)};
    emission.rates.slot_length = positive(set, "slot_length");
    const int vents = lava::number_of_vents(set);
    if (vents == 0) return emission;
    const std::vector<double>& table = lava::emission_table(set, vents);
    const auto slots = static_cast<std::ptrdiff_t>(table.size()) / vents;
    for (int vent = 0; vent < vents; ++vent) {
        const auto first = table.begin() + vent * slots;
        emission.rates.vents.push_back({vent + 1, {first, first + slots}});
    }
    return emission;
}

double Emission::thickness(int vent, std::int64_t n) const {
    const double time = static_cast<double>(first_step + n) * clock;
    return rates.at(static_cast<std::size_t>(vent), time) / area * clock;
}

double Emission::duration() const {
    return rates.slot_length * static_cast<double>(rates.slots());
}

StopRule stop_rule(const ParameterSet& set) {
    return {whole(set, "reference_stop", 0, largest_count) != 0,
            whole(set, "max_steps", 0, largest_count),
            whole(set, "reduce_interval", 1, largest_count), not_negative(set, "threshold")};
}

bool StopRule::goes_on(std::int64_t n, double time, double duration, double total) const {
    return (most_steps > 0 && n < most_steps) || time <= duration || total < 0 || total > threshold;
}

}  // namespace camber::sciara_fv2
