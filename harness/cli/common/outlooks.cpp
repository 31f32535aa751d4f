#include "harness/cli/common/outlooks.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/base/text.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/measure/ceilings.hpp"
#include "harness/measure/ceilings_cache.hpp"
#include "harness/measure/context.hpp"
#include "harness/measure/predictions.hpp"

namespace camber {

ModelDevice device_in_use(const DeviceInfo& device, bool fresh) {
    const Ceilings known = limits_of(device, fresh, [&] {
        const auto queue = open_cuda(device.index);
        return measure_ceilings(*queue, &device);
    });
    results::Document document;
    document.context = run_context({}, &device, known);
    return device_of(document);
}

std::map<const Variant*, Prediction> predictions_of(const Study& study, const DeviceLimits& limits,
                                                    const Architecture& architecture,
                                                    std::optional<double> seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    std::vector<const Variant*> possible;
    std::ranges::copy_if(study.variants, std::back_inserter(possible), [&](const Variant* variant) {
        return !reason_not_to_model(*variant, study.problem) &&
               !reason_to_skip(*variant, study.problem, study.generations, limits, study.backend);
    });
    const InitialData initial{study.workload, study.initial, nullptr};
    Predictions all([&](const Variant& variant) {
        return predict(variant, study.problem, initial, architecture);
    });
    if (seconds && !possible.empty()) {
        // Where a single one takes so long, they would not pay.
        try {
            all.of(*possible.front());
        } catch (const Error&) {
            // as below
        }
        if (std::chrono::duration<double>(Clock::now() - start).count() > *seconds / 4) return {};
    }
    all.begin(possible, thread_count(study.cpu_threads));
    Progress progress;
    std::map<const Variant*, Prediction> made;
    int done = 0;
    for (const Variant* variant : possible) {
        check_stop();
        const std::chrono::duration<double> age = Clock::now() - start;
        if (seconds && age.count() > *seconds) break;
        progress.show(done++, static_cast<int>(possible.size()),
                      "predicting " + variant->info.name());
        try {
            made.emplace(variant, all.of(*variant));
        } catch (const Error&) {
            // Without a prediction it is measured, which tells what is wrong.
        }
    }
    return made;
}

std::vector<Outlook> outlooks(const std::map<const Variant*, Prediction>& predictions,
                              const TimePredictor& times) {
    std::vector<Outlook> all;
    for (const auto& [variant, prediction] : predictions) {
        const auto time = times.time(prediction);
        if (const auto* predicted = std::get_if<PredictedTime>(&time))
            all.push_back(
                outlook(variant->info.name(), *predicted, variant->info.shape.generations));
    }
    return all;
}

std::optional<Outlook> leave_out_hopeless(Study& study, const std::vector<Outlook>& all,
                                          const std::vector<std::string>& keep) {
    const Outlook* const best = best_outlook(all);
    if (!best) return std::nullopt;
    const std::string baseline = baseline_name(*study.workload, registry());
    for (const Variant* variant : study.variants) {
        const std::string name = variant->info.name();
        // With or without the workload in front.
        const std::string own = name.substr(name.find('/') + 1);
        const bool kept = name == baseline || std::ranges::any_of(keep, [&](const auto& glob) {
                              return matches_glob(glob, name) || matches_glob(glob, own);
                          });
        const auto found = std::ranges::find(all, name, &Outlook::variant);
        if (kept || found == all.end()) continue;
        const Outlook* const judge = best_outlook(all, found->generations);
        if (judge && is_hopeless(*found, *judge))
            study.left_out[variant] = why_hopeless(*found, *judge);
    }
    return *best;
}

}  // namespace camber
