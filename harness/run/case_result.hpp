// All that is known of a case after it ran.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/backend/queue.hpp"
#include "harness/base/statistics.hpp"
#include "harness/model/prediction.hpp"
#include "harness/run/sampler.hpp"
#include "harness/run/study.hpp"
#include "harness/run/verification.hpp"

namespace camber {

enum class Status { ok, skipped, failed };

// What the device's own clock says of one of a variant's kernels.
struct KernelTimes {
    KernelFacts facts;
    std::vector<double> samples_ns;       // one per launch
    std::optional<double> clock_bias_ns;  // taken off every sample, where it was measured
};

// What the counters read of one of the kernels of a launch. A kernel that is launched several times
// in it has as many of these.
struct KernelCounters {
    std::string name;  // KernelFacts::name; of kernels that are not the variant's: kernel_name()
    std::string symbol;
    std::map<std::string, double> counters;      // by metric
    std::optional<std::size_t> predicted;        // which of the model's kernels it is
    std::vector<CounterComparison> comparisons;  // with that one
};

struct CaseResult {
    const Variant* variant = nullptr;
    Conditions conditions;
    std::string name;
    Status status = Status::skipped;
    std::string reason;  // why it was skipped or failed
    std::optional<Verification> verification;
    Samples samples;
    SampleStatistics statistics;  // of samples.ns
    std::vector<KernelFacts> kernels;
    std::optional<std::string> clock_fall;   // a sentence, when the clock fell more than 2 %
    std::vector<KernelTimes> kernel_times;   // empty where the device's clock cannot be read
    int kernel_times_generations = 0;        // computed by all launches of kernel_times
    std::map<std::string, double> counters;  // of the first launch, by metric
    // Of the same launch, every kernel in order. Of a single kernel it is what `counters` has.
    std::vector<KernelCounters> kernel_counters;
    // Of the launch that was counted, from the same data; absent where nothing was counted or the
    // variant has no executor form.
    std::optional<Prediction> model;
    std::vector<CounterComparison> model_comparisons;
    double cpu_seconds = 0;  // host time spent measuring

    bool timed() const { return !samples.ns.empty(); }
    double seconds_per_generation() const {
        return statistics.median * 1e-9 / samples.generations_per_sample;
    }
};

// One sentence for each quantity that the model predicts exactly and the counters read otherwise.
std::vector<std::string> describe_differences(const CaseResult& result);

}  // namespace camber
