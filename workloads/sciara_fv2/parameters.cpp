#include "workloads/sciara_fv2/parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"

namespace camber::sciara_fv2 {
namespace {

enum class Sign { positive, not_negative };

double checked(const ParameterSet& set, const char* name, Sign sign = Sign::positive) {
    const double value = set.value(name);
    if (!std::isfinite(value) || value < 0 || (value == 0 && sign == Sign::positive))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} = {} is impossible: give a {} number", name, value,
                                sign == Sign::positive ? "positive" : "non-negative"));
    return value;
}

std::int64_t whole(const ParameterSet& set, const char* name, std::int64_t least) {
    constexpr std::int64_t most = 1'000'000'000;
    const double value = set.value(name);
    if (!(value >= static_cast<double>(least) && value <= most && value == std::floor(value)))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} = {} is impossible: give a whole number from {} to "
                                "{}",
                                name, value, least, most));
    return static_cast<std::int64_t>(value);
}

struct Temperatures {
    double solid;
    double vent;
};
Temperatures temperatures(const ParameterSet& set) {
    const Temperatures t{checked(set, "t_sol"), checked(set, "t_vent")};
    if (!(t.solid < t.vent))
        throw Error(ExitCode::usage,
                    fmt::format("parameters t_sol = {} and t_vent = {} are impossible: lava leaves "
                                "the vent hotter than it solidifies",
                                t.solid, t.vent));
    return t;
}

Law law(const ParameterSet& set, const char* at_solid, const char* at_vent) {
    const Temperatures t = temperatures(set);
    return law_through(t.solid, checked(set, at_solid), t.vent, checked(set, at_vent));
}

double area(const ParameterSet& set) {
    const double side = checked(set, "cell_side");
    return side * side;
}

}  // namespace

Law law_through(double temperature_0, double value_0, double temperature_1, double value_1) {
    const double b = (std::log10(value_1) - std::log10(value_0)) / (temperature_1 - temperature_0);
    return {std::log10(value_0) - b * temperature_0, b};
}

std::vector<ParameterInfo> parameters(const lava::EmissionRates& rates) {
    std::vector<double> table;
    for (const lava::EmissionRates::Vent& vent : rates.vents) {
        std::vector<double> row = vent.rates;
        row.resize(rates.slots());
        table.insert(table.end(), row.begin(), row.end());
    }
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
            {"vents",
             {static_cast<double>(rates.vents.size())},
             "",
             "number of vents; an input's "
             "own"},
            {"emission_rates", std::move(table), "m^3/s",
             "of the first vent, slot by slot, then of the second"},
            {"reference_stop",
             {0},
             "",
             "1: the run ends by the rule of the public implementations, not after --generations"},
            {"max_steps", {16000}, "", "steps that the rule does at least; 0: no such number"},
            {"reduce_interval", {1000}, "", "steps between two sums of the rule"},
            {"threshold", {1}, "m", "total thickness at which the rule ends a run"}};
}

OutflowParameters outflow_parameters(const ParameterSet& set) {
    return {checked(set, "cell_side"), law(set, "r_sol", "r_vent"), law(set, "hc_sol", "hc_vent")};
}

CoolingParameters cooling_parameters(const ParameterSet& set) {
    return {.emissivity = checked(set, "emissivity", Sign::not_negative),
            .stefan_boltzmann = checked(set, "stefan_boltzmann"),
            .clock = checked(set, "clock"),
            .cooling = checked(set, "cooling", Sign::not_negative),
            .density = checked(set, "density"),
            .heat_capacity = checked(set, "heat_capacity"),
            .area = area(set),
            .solid = temperatures(set).solid};
}

Emission emission_parameters(const ParameterSet& set) {
    Emission emission{checked(set, "clock"), area(set), temperatures(set).vent, {}};
    emission.rates.slot_length = checked(set, "slot_length");
    const std::vector<double>& table = set.values("emission_rates");
    const auto vents = static_cast<std::size_t>(whole(set, "vents", 0));
    if (vents == 0) return emission;
    if (table.size() % vents != 0)
        throw Error(ExitCode::usage,
                    fmt::format("parameter vents = {} does not divide the {} emission rates: leave "
                                "it as the input has it",
                                vents, table.size()));
    const std::size_t slots = table.size() / vents;
    for (std::size_t vent = 0; vent < vents; ++vent) {
        const auto first = table.begin() + static_cast<std::ptrdiff_t>(vent * slots);
        emission.rates.vents.push_back(
            {static_cast<int>(vent) + 1, {first, first + static_cast<std::ptrdiff_t>(slots)}});
        for (const double rate : emission.rates.vents.back().rates)
            if (!(std::isfinite(rate) && rate >= 0))
                throw Error(ExitCode::usage,
                            fmt::format("emission rate {} is impossible: give a non-negative "
                                        "number",
                                        rate));
    }
    return emission;
}

double Emission::thickness(int vent, std::int64_t n) const {
    const double time = static_cast<double>(n) * clock;
    return rates.at(static_cast<std::size_t>(vent), time) / area * clock;
}

double Emission::duration() const {
    return rates.slot_length * static_cast<double>(rates.slots());
}

StopRule stop_rule(const ParameterSet& set) {
    return {whole(set, "reference_stop", 0) != 0, whole(set, "max_steps", 0),
            whole(set, "reduce_interval", 1), checked(set, "threshold", Sign::not_negative)};
}

bool StopRule::goes_on(std::int64_t n, double time, double duration, double total) const {
    return (most_steps > 0 && n < most_steps) || time <= duration || total < 0 || total > threshold;
}

}  // namespace camber::sciara_fv2
