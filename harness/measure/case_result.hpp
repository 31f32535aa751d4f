// All that is known of a case after it ran: its record, and what the record's sentences are made
// of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/machine/counters/kernel_clock.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"

namespace camber {

struct CaseResult {
    const Variant* variant = nullptr;
    Conditions conditions;
    results::CaseRecord record;
    std::vector<KernelFacts> kernels;  // as the queue tells them, in the record's order
    // What the kernel clock said of `stamped_launches` launches, in order of time, as long as it
    // can be corrected by a counter.
    std::vector<counters::KernelTime> stamps;
    int stamped_launches = 0;
    std::optional<Timeline> timeline;  // where the study asks for it
    bool device_lost = false;          // its kernel crashed on the GPU: no other case can run there
    // One sentence for each quantity that the model predicts exactly and the counters read
    // otherwise.
    std::vector<std::string> differences;

    double seconds_per_generation() const { return record.real_time_ns * 1e-9; }
};

}  // namespace camber
