#include "analysis/time/ranking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include "analysis/time/reliability.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text/text.hpp"

namespace camber {

PredictedInterval predicted_interval(const std::string& variant, const PredictedTime& time,
                                     int generations) {
    return {variant,
            time.seconds / generations,
            time.low / generations,
            time.high / generations,
            !time.uncertain(),
            generations};
}

const PredictedInterval* best_predicted_interval(const std::vector<PredictedInterval>& all,
                                                 int generations) {
    const PredictedInterval* best = nullptr;
    for (const PredictedInterval& one : all)
        if (one.certain && one.generations <= generations && (!best || one.high < best->high))
            best = &one;
    return best;
}

bool is_dominated(const PredictedInterval& one, const PredictedInterval& best) {
    return one.certain && one.low > dominated_factor * best.high;
}

std::string why_dominated(const PredictedInterval& one, const PredictedInterval& best) {
    const auto text = [](double seconds) { return duration(seconds * 1e9); };
    return fmt::format("predicted {} per generation, at least {}; {} is predicted {}, at most {}",
                       text(one.seconds), text(one.low), best.variant, text(best.seconds),
                       text(best.high));
}

namespace {

constexpr double worth_telling = 0.1;  // share of the difference
constexpr double alike = 0.02;         // share of the time

double part_of(const NamedTime& variant, TimeResource resource) {
    return seconds_of(variant.time.parts, resource) / variant.generations;
}

std::string us(double seconds) {
    const double value = seconds * 1e6;
    return fmt::format("{:.{}f} us", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// Cost as a noun: "latency", "DRAM time".
std::string cost_of(TimeResource resource) {
    const bool latency = resource == TimeResource::latency || resource == TimeResource::busy;
    return std::string(label(resource)) + (latency ? "" : " time");
}

std::string doubts(const NamedTime& fast, const NamedTime& slow) {
    std::string text;
    if (!fast.time.uncertain() && !slow.time.uncertain())
        text += fmt::format(" Of pairs predicted this far apart, {:.0f} % were in this order.",
                            100 * share_in_order(slow.seconds() / fast.seconds()));
    else if (fast.time.high / fast.generations > slow.time.low / slow.generations)
        text += " The predicted intervals overlap, so the ranking is uncertain.";
    for (const NamedTime* variant : {&fast, &slow})
        if (variant->time.uncertain())
            text += fmt::format(" The predicted time of {} is uncertain: {}.", variant->name,
                                fmt::join(variant->time.doubts, "; "));
    return text;
}

std::string because(const NamedTime& fast, const NamedTime& slow) {
    const double difference = slow.seconds() - fast.seconds();
    std::vector<std::pair<TimeResource, double>> told = contributions(fast, slow);
    std::erase_if(
        told, [&](const auto& part) { return std::abs(part.second) < worth_telling * difference; });
    std::ranges::stable_sort(told, std::greater<>(),
                             [](const auto& part) { return std::abs(part.second); });
    std::vector<std::string> costs;
    std::vector<std::string> savings;
    for (const auto& [resource, seconds] : told) {
        if (seconds > 0)
            costs.push_back(fmt::format("{} more {}", us(seconds), cost_of(resource)));
        else
            savings.push_back(fmt::format("{} less {}", us(-seconds), cost_of(resource)));
    }
    if (costs.empty()) return "";
    return fmt::format(" {} has {}{}.", slow.name, fmt::join(costs, ", "),
                       savings.empty() ? "" : fmt::format(", but {}", fmt::join(savings, ", ")));
}

}  // namespace

std::vector<std::pair<TimeResource, double>> contributions(const NamedTime& fast,
                                                           const NamedTime& slow) {
    // If two resources are views of the same work, only the larger one counts in the sum.
    constexpr std::pair<TimeResource, TimeResource> views[] = {
        {TimeResource::dram, TimeResource::l2},
        {TimeResource::issue, TimeResource::pipes},
        {TimeResource::starts, TimeResource::latency}};
    const auto counts = [&](TimeResource resource, const NamedTime& variant) {
        const double own = part_of(variant, resource);
        for (const auto& [one, other] : views)
            if ((resource == one && part_of(variant, other) > own) ||
                (resource == other && part_of(variant, one) >= own))
                return 0.0;
        return own;
    };
    std::vector<std::pair<TimeResource, double>> parts;
    double weights = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < time_resources; ++i) {
        const auto resource = static_cast<TimeResource>(i);
        const double a = counts(resource, fast);
        const double b = counts(resource, slow);
        const double whole = (fast.seconds() + slow.seconds()) / 2;
        const double growth =
            resource == TimeResource::launch ? 1 : std::pow((a + b) / 2 / whole, 2);
        parts.emplace_back(resource, (b - a) * growth);
        weights += std::abs((b - a) * growth);
        weighted += (b - a) * growth;
    }
    // Rescales the contributions to the total difference, which is not linear in them.
    const double missing = slow.seconds() - fast.seconds() - weighted;
    if (weights > 0)
        for (auto& [resource, seconds] : parts) seconds += missing * std::abs(seconds) / weights;
    return parts;
}

std::string reason(const NamedTime& a, const NamedTime& b) {
    const NamedTime& fast = a.seconds() <= b.seconds() ? a : b;
    const NamedTime& slow = &fast == &a ? b : a;
    const double difference = slow.seconds() - fast.seconds();
    if (difference <= alike * slow.seconds())
        return fmt::format("{} and {} take the same time, {} per generation, within {:.0f} %.{}",
                           fast.name, slow.name, us(fast.seconds()), alike * 100,
                           doubts(fast, slow));
    return fmt::format("{} is {:.2f} times as fast as {}: {} against {} per generation.{}{}",
                       fast.name, slow.seconds() / fast.seconds(), slow.name, us(fast.seconds()),
                       us(slow.seconds()), because(fast, slow), doubts(fast, slow));
}

namespace {

double share(const std::vector<TimedPrediction>& all, const auto& which) {
    return static_cast<double>(std::ranges::count_if(all, which)) / static_cast<double>(all.size());
}

struct Pairs {
    std::int64_t difference = 0;  // pairs in the same order minus pairs in the opposite order
    std::int64_t x = 0;           // pairs that differ in x
    std::int64_t y = 0;
};

Pairs pairs_of(const std::vector<double>& x, const std::vector<double>& y, double equal) {
    const auto larger = [equal](double a, double b) { return a > b * (1 + equal); };
    Pairs pairs;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const int dx = larger(x[i], x[j]) - larger(x[j], x[i]);
            const int dy = (y[i] > y[j]) - (y[i] < y[j]);
            pairs.difference += dx * dy;
            pairs.x += dx != 0;
            pairs.y += dy != 0;
        }
    return pairs;
}

}  // namespace

double TimedPrediction::error() const {
    return std::abs(ratio() - 1);
}

double kendall_tau(const std::vector<double>& x, const std::vector<double>& y) {
    const Pairs pairs = pairs_of(x, y, 0);
    if (pairs.x == 0 || pairs.y == 0) return 0;
    return static_cast<double>(pairs.difference) /
           std::sqrt(static_cast<double>(pairs.x) * static_cast<double>(pairs.y));
}

double somers_d(const std::vector<double>& x, const std::vector<double>& y, double equal) {
    const Pairs pairs = pairs_of(x, y, equal);
    return pairs.x == 0 ? 0 : static_cast<double>(pairs.difference) / static_cast<double>(pairs.x);
}

Accuracy accuracy(const std::vector<TimedPrediction>& predictions) {
    Accuracy result;
    result.variants = static_cast<int>(predictions.size());
    std::vector<double> measured;
    std::vector<double> predicted;
    std::vector<double> errors;
    std::vector<double> certain;
    for (const TimedPrediction& prediction : predictions) {
        measured.push_back(prediction.measured);
        predicted.push_back(prediction.predicted);
        errors.push_back(prediction.error());
        if (prediction.uncertain)
            ++result.uncertain;
        else
            certain.push_back(prediction.error());
    }
    result.tau = kendall_tau(measured, predicted);
    result.order_apart = somers_d(measured, predicted, no_difference);
    const auto chosen = std::ranges::min_element(predicted) - predicted.begin();
    result.pick = measured[static_cast<std::size_t>(chosen)] / *std::ranges::min_element(measured);
    result.median_error = median(errors);
    if (!certain.empty()) result.certain_error = median(certain);
    std::ranges::sort(errors);
    const auto ninth =
        static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(errors.size())));
    result.ninth_error = errors[std::max<std::size_t>(ninth, 1) - 1];
    result.within = share(predictions, [](const auto& p) { return p.error() <= usual_error; });
    result.in_interval = share(
        predictions, [](const auto& p) { return p.low <= p.measured && p.measured <= p.high; });
    return result;
}

std::vector<TechniqueResidual> residuals(const std::vector<TimedPrediction>& predictions) {
    std::map<std::string, std::vector<double>> ratios;
    for (const TimedPrediction& prediction : predictions)
        ratios[prediction.technique].push_back(prediction.ratio());
    std::vector<TechniqueResidual> result;
    for (const auto& [technique, of] : ratios)
        result.push_back({technique, static_cast<int>(of.size()), median(of)});
    std::ranges::stable_sort(result, std::greater<>(), [](const TechniqueResidual& residual) {
        return std::abs(std::log(residual.ratio));
    });
    return result;
}

}  // namespace camber
