#include "analysis/compare/predicted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace camber::compare {

namespace {

using results::Document;
using results::ModelEntry;

std::string model_name(const ModelEntry& entry) {
    return fmt::format("{}/{}x{}/{}/{}{}",
                       entry.case_name.empty() ? entry.variant : entry.case_name,
                       entry.size.columns, entry.size.rows, entry.cell, name(entry.boundary),
                       entry.rule.empty() ? "" : "/" + entry.rule);
}

PredictedTimeOf predicted_of(const ModelEntry& entry) {
    const double generations = entry.generations_per_launch;
    const results::TimeRecord& time = *entry.time;
    return {time.predicted_seconds / generations, time.low_seconds / generations,
            time.high_seconds / generations, time.binding, !time.doubts.empty()};
}

}  // namespace

std::string PredictedTimes::device() const {
    return base_gpu == changed_gpu ? base_gpu
                                   : fmt::format("{} in BASE and {} in NEW", base_gpu, changed_gpu);
}

PredictedTimes predicted_times(const Document& base, const Document& changed) {
    PredictedTimes times{base.gpu(), changed.gpu(), {}};
    std::map<std::string, PredictedTimeOf> after;
    for (const ModelEntry& entry : changed.models)
        if (entry.time) after[model_name(entry)] = predicted_of(entry);
    for (const ModelEntry& entry : base.models)
        if (entry.time)
            if (const auto found = after.find(model_name(entry));
                found != after.end() && entry.time->predicted_seconds > 0)
                times.pairs.push_back({found->first, predicted_of(entry), found->second});
    std::ranges::stable_sort(times.pairs, std::greater<>(), &PredictedPair::ratio);
    return times;
}

}  // namespace camber::compare
