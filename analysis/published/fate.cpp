#include "analysis/published/fate.hpp"

#include "analysis/compare/time_ratio.hpp"

namespace camber::published {

double typical_time(const ProcessSamples& samples) {
    return compare::typical_time(compare::series_of(samples));
}

std::string_view name(Fate fate) {
    switch (fate) {
        case Fate::holds:
            return "holds";
        case Fate::reversed:
            return "reversed";
        case Fate::no_difference:
            return "no difference";
        case Fate::undecided:
            break;
    }
    return "not decidable";
}

Fate fate_of(double ratio, const std::optional<Interval>& interval) {
    const bool equal = ratio <= 1 + equal_share && ratio >= 1 / (1 + equal_share);
    if (equal || (interval && interval->low <= 1 && interval->high >= 1))
        return Fate::no_difference;
    return ratio > 1 ? Fate::holds : Fate::reversed;
}

Judged judge(const ProcessSamples* faster, const ProcessSamples* than) {
    if (faster == nullptr || than == nullptr) return {};
    constexpr std::uint64_t seed = 1;  // the interval depends on nothing but the samples
    const compare::TimeRatio measured =
        compare::time_ratio(compare::series_of(*faster), compare::series_of(*than), seed, false);
    const Interval interval{measured.interval.low, measured.interval.high};
    return {fate_of(measured.ratio, interval), measured.ratio, interval};
}

}  // namespace camber::published
