// Parameters that lava models share, and their valid ranges. Invalid values throw Error(usage) with
// parameter, value and remedy.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/parameters.hpp"
#include "workloads/lava/emission.hpp"

namespace camber::lava {

// `remedy` describes valid values: "a positive number".
[[noreturn]] void reject(const char* name, double value, const char* remedy);

double positive(const ParameterSet& set, const char* name);
double not_negative(const ParameterSet& set, const char* name);
// Integer parameter from `least` to `most`.
std::int64_t whole(const ParameterSet& set, const char* name, std::int64_t least,
                   std::int64_t most);

// Solidification and vent temperatures t_sol and t_vent, K.
struct Temperatures {
    double solid;
    double vent;  // above `solid`
};
Temperatures temperatures(const ParameterSet& set);

// Parameters `vents` and `emission_rates` of a model: the number of vents, and their rates slot by
// slot, first those of the first vent. Shorter curves are padded by 0.
ParameterInfo vents_parameter(const EmissionRates& rates);
ParameterInfo emission_rates_parameter(const EmissionRates& rates);

// Number of vents, from 0 to 255.
int number_of_vents(const ParameterSet& set);
// Rates of `vents` >= 1 vents; all have the same number of slots.
const std::vector<double>& emission_table(const ParameterSet& set, int vents);

}  // namespace camber::lava
