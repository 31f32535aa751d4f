// Runs a submission in a process of its own, which has limited time and memory, and reports what it
// computed, which faults the executor found, and what it asks of memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/cli/course/exercise.hpp"
#include "harness/cli/course/quantities.hpp"
#include "workloads/core/workload.hpp"

namespace camber::course {

// Limits of a process that runs a submission.
struct Limits {
    double timeout = 20;       // s: a block on the executor; a compilation has at least 60 s
    double cpu_seconds = 120;  // of the whole submission
    int memory_mib = 4096;
};

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

// Confinement of the process (confinement.cpp).

// Limits the resources of this process and of those that it starts.
void limit_process(const Limits& limits);

// From now on, system calls end this process that start other processes, open files for writing,
// write to open files (except pwrite(), with which the process reports), change the file system,
// use networks or affect other processes. A second line of defense: screening rejects submissions
// that call functions of the system. Without effect if the system has no such filters.
void deny_system_calls();

// Screening before the code runs (screening.cpp): a submission may only compute with its arguments.
// Code that hides accesses from the executor, or that reaches anything outside of the kernel, is rejected.

inline constexpr std::size_t most_submission_bytes = 256 * 1024;

// Sentence that names the first construct of the source text that a submission must not contain,
// with its line; nullopt if there is none. Comments are examined, too, so that no disagreement with
// the compiler about where a comment ends can hide code.
std::optional<std::string> forbidden_source(std::string_view text);

// Sentence that names a function of another library that the compiled file calls, or a variable
// that outlives a launch; nullopt if there is neither. `library`: bytes of an ELF shared library.
// Throws std::runtime_error if they are damaged.
std::optional<std::string> forbidden_symbols(std::string_view library);

}  // namespace camber::course
