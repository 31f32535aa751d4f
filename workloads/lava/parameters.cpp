#include "workloads/lava/parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/base/error.hpp"

namespace camber::lava {

void reject(const char* name, double value, const char* remedy) {
    throw Error(ExitCode::usage,
                fmt::format("parameter {} = {} is impossible: give {}", name, value, remedy));
}

double positive(const ParameterSet& set, const char* name) {
    const double value = set.value(name);
    if (!(std::isfinite(value) && value > 0)) reject(name, value, "a positive number");
    return value;
}

double not_negative(const ParameterSet& set, const char* name) {
    const double value = set.value(name);
    if (!(std::isfinite(value) && value >= 0)) reject(name, value, "a non-negative number");
    return value;
}

std::int64_t whole(const ParameterSet& set, const char* name, std::int64_t least,
                   std::int64_t most) {
    const double value = set.value(name);
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most) &&
          value == std::floor(value)))
        reject(name, value, fmt::format("a whole number from {} to {}", least, most).c_str());
    return static_cast<std::int64_t>(value);
}

Temperatures temperatures(const ParameterSet& set) {
    const Temperatures t{positive(set, "t_sol"), positive(set, "t_vent")};
    if (!(t.solid < t.vent))
        throw Error(ExitCode::usage,
                    fmt::format("parameters t_sol = {} and t_vent = {} are impossible: lava leaves "
                                "the vent hotter than it solidifies",
                                t.solid, t.vent));
    return t;
}

ParameterInfo vents_parameter(const EmissionRates& rates) {
    return {
        "vents", {static_cast<double>(rates.vents.size())}, "", "number of vents; an input's own"};
}

ParameterInfo emission_rates_parameter(const EmissionRates& rates) {
    std::vector<double> table;
    for (const EmissionRates::Vent& vent : rates.vents) {
        std::vector<double> row = vent.rates;
        row.resize(rates.slots());
        table.insert(table.end(), row.begin(), row.end());
    }
    return {"emission_rates", std::move(table), "m^3/s",
            "of the first vent, slot by slot, then of the second"};
}

int number_of_vents(const ParameterSet& set) {
    constexpr int most = 255;  // a vent number is one byte
    return static_cast<int>(whole(set, "vents", 0, most));
}

const std::vector<double>& emission_table(const ParameterSet& set, int vents) {
    const std::vector<double>& table = set.values("emission_rates");
    if (table.size() % static_cast<std::size_t>(vents) != 0)
        throw Error(ExitCode::usage,
                    fmt::format("parameter vents = {} does not divide the {} emission rates: leave "
                                "it as the input has it",
                                vents, table.size()));
    for (const double rate : table)
        if (!(std::isfinite(rate) && rate >= 0))
            reject("emission_rates", rate, "non-negative numbers");
    return table;
}

}  // namespace camber::lava
