#include "analysis/published/explained.hpp"

namespace camber::published {

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
    bool all = false;   // of the interval says what is printed
    bool some = false;  // of it does
    switch (fate_of(printed, std::nullopt)) {
        case Fate::holds:
            all = low > more;
            some = high > more;
            break;
        case Fate::reversed:
            all = high < less;
            some = low < less;
            break;
        case Fate::no_difference:
        case Fate::undecided:
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
        if (fate_of(pair.printed, std::nullopt) == Fate::no_difference) continue;
        ++ordered;
        const double agreement = (pair.printed - 1) * (pair.predicted - 1);
        balance += agreement > 0 ? 1 : agreement < 0 ? -1 : 0;
    }
    if (ordered == 0) return std::nullopt;
    return static_cast<double>(balance) / ordered;
}

}  // namespace camber::published
