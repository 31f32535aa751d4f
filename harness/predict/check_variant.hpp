// Correctness check of one variant on the SIMT executor: races, unwritten memory and faults, as
// findings and as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/registry/registry.hpp"

namespace camber {

// What the checker finds in a kernel.
enum class FindingKind {
    shared_race,       // two threads of a block or a cluster, shared memory, no barrier between
    global_race,       // two threads of a block, global memory, no barrier between
    block_race,        // two blocks of a launch, global memory: nothing orders them
    copy_race,         // a bulk copy's bytes, and a thread for which they are not there yet
    unwritten_shared,  // read before any thread of the block wrote it
    unwritten_global,  // read before the host or a kernel wrote it
    unwritten_output,  // a cell of an output that no kernel wrote
    out_of_bounds,
    misaligned,
    cluster,          // shared memory of a block that may not have begun, or have ended
    bulk_copy,        // a copy that nobody waits for, or one that never comes
    barrier,          // threads or lanes that diverge where they must meet
    missing_wait,     // work of two queues on the same memory that no event orders
    stale_halo,       // rows of a neighbour that are not as the neighbour has them
    double_emission,  // a vent that has given more on several places than on one
    wrong_result,     // cells that several places compute otherwise than one
    launch,           // a launch, or an amount of shared memory, that no device takes
};

// "race in shared memory", ...
std::string_view describe(FindingKind kind);

struct FindingExample {
    std::string threads;  // "block (0,0): thread (4,2) stores, thread (5,2) loads"
    std::string address;  // "row 3, column 5 of field `cells`", "byte 128 of shared memory"
};

// Everything alike: the same kind at the same pair of sites.
struct Finding {
    FindingKind kind = FindingKind::shared_race;
    std::string sites;  // "store at a.hpp:12, then load at b.hpp:7": "then" is the executor's order
    std::string paths;  // the calls that led there; "" where there are none
    std::uint64_t count = 0;  // accesses; 1 for what ends a launch
    std::vector<FindingExample> examples;
    std::string sentence;  // instead of examples, for what ends a launch
};

// Runs one variant on the SIMT executor under the checker.
struct CheckResult {
    const Variant* variant = nullptr;
    Size size;
    std::string skipped;  // why it could not run; "" when it was checked
    std::vector<Finding> findings;

    bool clean() const { return skipped.empty() && findings.empty(); }
};

// Advances `initial` by `generations`. The output is poisoned before every launch, as in
// verification, and poison counts as unwritten: a cell that the variant leaves out is found after
// the launch, and again if the next one reads it. Keeps at most `examples` for each pair of sites.
// The result of one place is not compared with anything. That of several is, with that of one and
// after every launch, and so is what they hold of each other's rows; and work of their queues that
// nothing orders is found. Throws Stopped where work is to end.
CheckResult check_variant(const Variant& variant, const Problem& problem, const State& initial,
                          int generations, int examples);

// Bytes that checking a problem takes, about.
std::size_t check_memory_needed(const Problem& problem);

// The checker's findings as text.

// What was found in one variant: a heading, then every finding with its examples.
std::string describe(const CheckResult& result);

// The last line: how many were checked, how many are clean.
std::string summarize(const std::vector<CheckResult>& results);

}  // namespace camber
