// Times a run from the start in parts.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/machine/counters/kernel_clock.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// As many runs as the study's budget of seconds has time for, three at least, each timed interval
// by interval; one more with the kernels stamped by `clock`, where there is one, which may throw.
// `restart` makes the state the initial one; it is not timed. `step`: the variant's generations per
// launch; `kernels`: the variant's own.
std::vector<results::Interval> time_intervals(Queue& queue, Execution& execution,
                                              const Study& study, int step,
                                              const std::function<void()>& restart,
                                              const std::vector<results::Kernel>& kernels,
                                              counters::KernelClock* clock);

}  // namespace camber
