#include "workloads/lava/magflow/effusion.hpp"

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
        // A vent outside of the board has no cells, and its rate is unused.
        effusion.rates.push_back(table[i] / (count > 0 ? count : 1));
    }
    return effusion;
}

}  // namespace camber::magflow
