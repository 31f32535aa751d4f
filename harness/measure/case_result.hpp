// Result of a case after it ran, and the record that identifies the case in a results file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/timeline.hpp"
#include "harness/machine/counters/activity_trace.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"
#include "harness/record/merge.hpp"

namespace camber {

// All that is known of a case after it ran: its record, and what the record's sentences are made
// of.
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

// What a study's case is, as results record it.

// The record of a case of which nothing is known yet: its name and identity.
results::CaseRecord record_of(const Study& study, const Case& chosen);

// The limit that each case comes nearest to, and its share of it, where counters tell.
void add_limits(results::Document& document);

// What the case's rates are taken of.
results::Work work_of(const Study& study, const Variant& variant);

// `on_device`: the compiler's facts are known too.
results::Kernel recorded(const KernelFacts& facts, bool on_device);

// An instruction mix, of the whole kernel and of its loops, into the kernel's record.
void record(const InstructionMix& mix, results::Kernel& kernel);

}  // namespace camber
