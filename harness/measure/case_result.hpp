// Result of one measured case, and conversion of its facts into the record of a results file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// Result of one case: its record, and facts that the report's sentences need in addition.
struct CaseResult {
    const Variant* variant = nullptr;
    Conditions conditions;
    results::CaseRecord record;
    std::vector<KernelFacts> kernels;  // reported by the queue, in the record's order
    // Times that the kernel clock reported for `stamped_launches` launches, in order of time. Empty
    // if no counter can correct them.
    std::vector<counters::KernelTime> stamps;
    int stamped_launches = 0;
    std::optional<Timeline> timeline;  // if the study requests it
    // The kernel crashed on the GPU, so no other case can run in this process.
    bool device_lost = false;
    // One sentence for each quantity whose counter differs from an exact prediction.
    std::vector<std::string> differences;

    double seconds_per_generation() const { return record.real_time_ns * 1e-9; }
};

// Records of a study's cases in the form of a results file.

// Record of a case before anything is measured: name and identity only.
results::CaseRecord record_of(const Study& study, const Case& chosen);

// Adds to each case the ceiling that it comes closest to and the fraction reached, if counters are
// available.
void add_limits(results::Document& document);

// Work per generation, from which the case's rates are derived.
results::Work work_of(const Study& study, const Variant& variant);

// `on_device`: the record includes the facts that the compiler reports.
results::Kernel recorded(const KernelFacts& facts, bool on_device);

// Writes an instruction mix (see parse_listing()) into the kernel's record.
void record(const results::Kernel& mix, results::Kernel& kernel);

}  // namespace camber
