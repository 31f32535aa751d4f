#include "harness/measure/stopping_rule.hpp"

#include <cmath>
#include <stdexcept>

#include "harness/base/statistics.hpp"

namespace camber {

ConfidenceRule::ConfidenceRule(const ConfidenceParameters& parameters) : parameters_(parameters) {
    if (!(parameters.relative_half_width > 0) || !(parameters.budget_seconds > 0)) {
        throw std::invalid_argument("a stopping rule needs a positive width and time budget");
    }
    if (parameters.minimum_samples == 0 ||
        parameters.maximum_samples < parameters.minimum_samples) {
        throw std::invalid_argument("a stopping rule needs 1 <= minimum <= maximum samples");
    }
}

bool ConfidenceRule::converged(std::span<const double> samples) const {
    if (samples.size() < parameters_.minimum_samples) return false;
    const SampleStatistics statistics = summarize(samples, parameters_.seed);
    const double half_width = (statistics.ci95_high - statistics.ci95_low) / 2;
    return half_width <= parameters_.relative_half_width * std::abs(statistics.median);
}

std::optional<std::string> ConfidenceRule::verdict(std::span<const double> samples,
                                                   double elapsed_seconds) {
    const std::size_t n = samples.size();
    if (n == 0) return std::nullopt;
    if (n <= last_checked_) last_checked_ = 0;

    const bool out_of_samples = n >= parameters_.maximum_samples;
    const bool out_of_time = elapsed_seconds >= parameters_.budget_seconds;
    // Each look sorts all samples; looking at n growing by a tenth keeps the sum of all looks a
    // small multiple of the last one.
    const bool due = n > last_checked_ + last_checked_ / 10;
    if (n >= parameters_.minimum_samples && (due || out_of_samples || out_of_time)) {
        last_checked_ = n;
        if (converged(samples)) return "converged";
    }
    if (out_of_time) return "time budget";
    if (out_of_samples) return "sample limit";
    return std::nullopt;
}

}  // namespace camber
