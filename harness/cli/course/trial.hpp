// Runs a submission in a process of its own, which has limited time and memory, and reports what it
// computed, which faults the executor found, and what it asks of memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/course/confinement.hpp"
#include "harness/cli/course/exercise.hpp"
#include "harness/cli/course/quantities.hpp"
#include "workloads/core/workload.hpp"

namespace camber::course {

// Run of a submission on one board.
struct BoardRun {
    std::string skipped;  // why it does not accept the board; "" if it does
    std::string fault;    // sentence about a fault that ended the run
    // Sentences about races, reads of unwritten memory and other findings.
    std::vector<std::string> findings;
    bool race = false;  // one of the findings is a race
    // Contents of the written fields, by name; empty after a fault.
    std::map<std::string, std::string> results;
};

struct Observation {
    std::string rejected;      // forbidden construct; "" if there is none
    std::string not_compiled;  // sentence and messages of the compiler
    std::string ended;         // how the submission ended its process; "" if it did not
    std::vector<BoardRun> boards;
    std::string not_counted;  // why quantities are missing; "" if they are not
    Values values;            // on the first board
    // Sentences about the most wasteful access of each cause: "Line 12: stride of 128 bytes".
    std::map<Cause, std::string> explanations;
};

// `workload`: of the exercise's reference. Must be called while the process has one thread. Throws
// Error(usage) if the file cannot be read, and Error(unavailable) if there is no compiler or no
// process can be started.
Observation observe(const std::filesystem::path& file, const Exercise& exercise,
                    const Workload& workload, const std::vector<Trial>& trials,
                    const Limits& limits);

// Quantities and explanations of a kernel on a board with these conditions. Throws the errors of
// predict().
struct Counted {
    Values values;
    std::map<Cause, std::string> explanations;
};
Counted count(const Prediction& prediction, const Workload& workload, const State& initial);

}  // namespace camber::course
