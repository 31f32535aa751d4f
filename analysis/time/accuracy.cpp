#include "analysis/time/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

#include "harness/base/statistics.hpp"

namespace camber {
namespace {

double share(const std::vector<TimedPrediction>& all,
             const std::function<bool(const TimedPrediction&)>& which) {
    return static_cast<double>(std::ranges::count_if(all, which)) / static_cast<double>(all.size());
}

struct Pairs {
    std::int64_t difference = 0;  // of pairs in the same order and in the other
    std::int64_t x = 0;           // that differ
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
