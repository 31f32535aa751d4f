// Correctness check of one variant on the SIMT executor. It reports races, reads of unwritten
// memory and faults, as findings and as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/registry/registry.hpp"

namespace camber {

// Kinds of faults that the checker reports.
enum class FindingKind {
    // shared memory; two threads of a block or a cluster, without a barrier between them
    shared_race,
    global_race,       // global memory; two threads of a block, without a barrier between them
    block_race,        // global memory; two blocks of a launch, which nothing orders
    copy_race,         // bytes of a bulk copy that has not completed for the accessing thread
    unwritten_shared,  // read before any thread of the block wrote the bytes
    unwritten_global,  // read before the host or a kernel wrote the bytes
    unwritten_output,  // an output cell that no kernel wrote
    out_of_bounds,
    misaligned,
    cluster,          // shared memory of a block that may not have started, or may have ended
    bulk_copy,        // a copy that no thread waits for, or a wait for a copy that never arrives
    barrier,          // threads or lanes that diverge where they must converge
    missing_wait,     // work of two queues on the same memory, without an ordering event
    stale_halo,       // halo rows that differ from the neighbor's rows
    double_emission,  // a vent that emitted more on several devices than on one
    wrong_result,     // cells that several devices compute differently from one device
    launch,           // a launch configuration, or a shared memory size, that no device accepts
};

// "race in shared memory" and so on.
std::string_view describe(FindingKind kind);

struct FindingExample {
    std::string threads;  // "block (0,0): thread (4,2) stores, thread (5,2) loads"
    std::string address;  // "row 3, column 5 of field `cells`", "byte 128 of shared memory"
};

// All occurrences of one kind at one pair of call sites.
struct Finding {
    FindingKind kind = FindingKind::shared_race;
    std::string sites;  // "store at a.hpp:12, then load at b.hpp:7": "then" is the executor's order
    std::string paths;  // the calls that led there; "" where there are none
    std::uint64_t count = 0;  // accesses; 1 for a fault that ends the launch
    std::vector<FindingExample> examples;
    std::string sentence;  // replaces the examples for a fault that ends the launch
};

// Result of checking one variant on the SIMT executor.
struct CheckResult {
    const Variant* variant = nullptr;
    Size size;
    std::string skipped;  // why it could not run; "" when it was checked
    std::vector<Finding> findings;

    bool clean() const { return skipped.empty() && findings.empty(); }
};

// Advances `initial` by `generations` under the checker. The output is poisoned before every
// launch, as in verification, and poison counts as unwritten: a cell that the variant leaves out is
// reported after the launch, and again if the next launch reads it. Stores at most `examples`
// examples for each pair of call sites.
//
// The result of a variant on one device is not compared with anything. A variant on several devices
// is compared with one device after every launch, halo rows are compared with the neighbors' rows,
// and unordered work of different queues is reported.
//
// Throws Stopped if the process is to end.
CheckResult check_variant(const Variant& variant, const Problem& problem, const State& initial,
                          int generations, int examples);

// Estimated bytes of memory that checking a problem requires.
std::size_t check_memory_needed(const Problem& problem);

// Findings as text.

// Findings in one variant: a heading, then every finding with its examples.
std::string describe(const CheckResult& result);

// Final line of the report: number of variants checked and number without findings.
std::string summarize(const std::vector<CheckResult>& results);

}  // namespace camber
