#include "analysis/published/outcome.hpp"

#include "analysis/compare/verdict.hpp"

namespace camber::published {

double typical_time(const ProcessSamples& samples) {
    return comparison::typical_time(comparison::series_of(samples));
}

std::string_view name(Outcome outcome) {
    switch (outcome) {
        case Outcome::holds:
            return "holds";
        case Outcome::reversed:
            return "reversed";
        case Outcome::no_difference:
            return "no difference";
        case Outcome::short_run:
            return "short run";
        case Outcome::other_ground:
            return "other ground";
        case Outcome::undecided:
            break;
    }
    return "not decidable";
}

Outcome outcome_of(double ratio, const std::optional<Interval>& interval) {
    const bool equal = ratio <= 1 + equal_share && ratio >= 1 / (1 + equal_share);
    if (equal || (interval && interval->low <= 1 && interval->high >= 1))
        return Outcome::no_difference;
    return ratio > 1 ? Outcome::holds : Outcome::reversed;
}

Judged judge(const ProcessSamples* faster, const ProcessSamples* than) {
    if (faster == nullptr || than == nullptr) return {};
    constexpr std::uint64_t seed = 1;  // fixed, so that the interval depends only on the samples
    const comparison::TimeRatio measured = comparison::time_ratio(
        comparison::series_of(*faster), comparison::series_of(*than), seed, false);
    const Interval interval{measured.interval.low, measured.interval.high};
    return {outcome_of(measured.ratio, interval), measured.ratio, interval};
}

std::string_view name(Explained explained) {
    switch (explained) {
        case Explained::explains:
            return "explains it";
        case Explained::contradicts:
            return "contradicts it";
        case Explained::cannot_tell:
            return "cannot tell";
        case Explained::not_predicted:
            break;
    }
    return "-";
}

Explained explained(double printed, const std::optional<PredictedRatio>& predicted) {
    if (!predicted) return Explained::not_predicted;
    constexpr double more = 1 + equal_share;
    constexpr double less = 1 / more;
    const auto [low, high] = predicted->interval;
    bool all = false;   // all of the interval agrees with the print
    bool some = false;  // part of the interval does
    switch (outcome_of(printed, std::nullopt)) {
        case Outcome::holds:
            all = low > more;
            some = high > more;
            break;
        case Outcome::reversed:
            all = high < less;
            some = low < less;
            break;
        case Outcome::no_difference:
        case Outcome::undecided:
        case Outcome::short_run:
        case Outcome::other_ground:
            all = low >= less && high <= more;
            some = low <= more && high >= less;
            break;
    }
    return all ? Explained::explains : some ? Explained::cannot_tell : Explained::contradicts;
}

std::optional<double> kendalls_tau(const std::vector<OrderedPair>& pairs) {
    int ordered = 0;
    int balance = 0;
    for (const OrderedPair& pair : pairs) {
        if (outcome_of(pair.printed, std::nullopt) == Outcome::no_difference) continue;
        ++ordered;
        const double agreement = (pair.printed - 1) * (pair.predicted - 1);
        balance += agreement > 0 ? 1 : agreement < 0 ? -1 : 0;
    }
    if (ordered == 0) return std::nullopt;
    return static_cast<double>(balance) / ordered;
}

}  // namespace camber::published
