// Quantities in which the course states its goals: exact counts of a kernel's memory accesses.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/predict/prediction.hpp"

namespace camber::course {

// Accesses that determine a quantity, for explanations: those that waste most, or those that are
// most frequent.
enum class Cause {
    wasteful_loads,
    wasteful_stores,
    wasteful_shared,
    loads,
    stores,
    atomics,
    shared,
    traffic,
    launches,
};

struct Quantity {
    std::string_view name;    // in files: "load_sectors_per_request"
    std::string_view phrase;  // for a table: "sectors per global load request"
    // Sentence about a missed goal: {0} is the value, {1} the limit.
    std::string_view missed;
    Cause cause = Cause::launches;
};

// nullptr if no quantity has this name.
const Quantity* find_quantity(std::string_view name);
std::vector<std::string_view> quantity_names();

// Values of all quantities, by name, per generation.
using Values = std::map<std::string, double, std::less<>>;
Values values_of(const Prediction& prediction, const Workload& workload);

// Quantities and explanations of a kernel on a board with these conditions. Throws the errors of
// predict().
struct Counted {
    Values values;
    std::map<Cause, std::string> explanations;
};
Counted count(const Prediction& prediction, const Workload& workload, const State& initial);

// "32", "4.44", "0.254": three digits after the point at most.
std::string number_text(double value);

}  // namespace camber::course
