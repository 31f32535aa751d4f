#include "workloads/magflow/effusion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "harness/base/error.hpp"

namespace camber::magflow {
namespace {

constexpr double day = 86400;  // s

int whole(const ParameterSet& set, const char* name, int least, int most) {
    const double value = set.value(name);
    if (!(value >= least && value <= most && value == std::floor(value)))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} = {} is impossible: give a whole number from {} to "
                                "{}",
                                name, value, least, most));
    return static_cast<int>(value);
}

double rate(double value) {
    if (!(std::isfinite(value) && value >= 0))
        throw Error(
            ExitCode::usage,
            fmt::format("emission rate {} is impossible: give a non-negative number", value));
    return value;
}

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
    constexpr int most_vents = 255;  // they are numbered in a byte
    constexpr int most_days = 100'000;
    Effusion effusion;
    effusion.vents = whole(set, "vents", 0, most_vents);
    if (effusion.vents == 0) return effusion;
    const auto vents = static_cast<std::size_t>(effusion.vents);
    const std::vector<double>& cells = set.values("vent_cells");
    std::vector<double> table = set.values("emission_rates");
    if (cells.size() != vents || table.size() % vents != 0)
        throw Error(ExitCode::usage,
                    fmt::format("parameter vents = {} does not divide the {} emission rates of {} "
                                "vents: leave it as the input has it",
                                vents, table.size(), cells.size()));
    effusion.shape.slot_length = set.value("slot_length");
    effusion.shape.linear = whole(set, "linear_rates", 0, 1) == 1;
    const double pulse = rate(set.value("pulse"));
    if (pulse > 0) {
        const auto curve = gaussian_pulse(pulse, whole(set, "pulse_days", 1, most_days));
        effusion.shape.slot_length = day;
        effusion.shape.linear = true;
        table.clear();
        for (std::size_t vent = 0; vent < vents; ++vent)
            table.insert(table.end(), curve.begin(), curve.end());
    }
    if (!(std::isfinite(effusion.shape.slot_length) && effusion.shape.slot_length > 0))
        throw Error(ExitCode::usage,
                    fmt::format("parameter slot_length = {} is impossible: give a positive number",
                                effusion.shape.slot_length));
    const std::size_t slots = table.size() / vents;
    effusion.shape.slots = static_cast<int>(slots);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double count = cells[i / slots];
        // A vent that the board has no place for has no cells, and nobody asks for its rate.
        effusion.rates.push_back(rate(table[i]) / (count > 0 ? count : 1));
    }
    return effusion;
}

}  // namespace camber::magflow
