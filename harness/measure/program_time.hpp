// What a whole program does beside its generations: it loads, uploads, downloads and saves.
#pragma once

#include <optional>

#include "harness/machine/queue/queue.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Seconds of one upload of the state, and of one download into `into`, a state of the same form.
// The execution is left with the state uploaded.
results::ProgramTime transfer_time(Execution& execution, Queue& queue, const State& initial,
                                   State& into);

// Seconds of writing the state in the workload's own format, into a folder that is deleted again;
// absent where that fails.
std::optional<double> saving_time(const Study& study, const State& state);

}  // namespace camber
