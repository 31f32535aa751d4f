// The pieces of a program text between its branches, and where a warp may go on from each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/machine/sass/code_loops.hpp"

namespace camber {

// Instructions that are executed together.
struct BasicBlock {
    int loop = 0;         // the region around them, by number, from 0 (see InstructionRegion)
    std::vector<int> to;  // the blocks that a warp may go on to
    bool ends = false;    // a warp may end here
    // By class, as in InstructionRegion, with what they are of the whole text's schedule.
    std::map<std::string, std::int64_t> instructions;
    // Of the accesses among them, those behind a predicate: a warp may pass through without making
    // them.
    std::map<std::string, std::int64_t> predicated;

    bool operator==(const BasicBlock&) const = default;
};

// An instruction for find_basic_blocks().
struct BlockStep {
    FlowStep flow;
    int loop = 0;
    std::map<std::string, std::int64_t> counts;  // "total" among them
    bool access = false;
    bool predicated = false;
    bool noticed = false;  // an access, or other threads would tell that it is executed
};

// The blocks of a text, the first one where the kernel begins. What no access tells of is not kept
// apart: of ways from one block to another on which nothing is noticed the shortest stands, and
// what the others have counts as "skippable" where they branch off; a loop without accesses is gone
// through once. Empty where one block remains, where a step calls a function or goes anywhere, and
// where more than `most_basic_blocks` remain.
std::vector<BasicBlock> find_basic_blocks(const std::vector<BlockStep>& steps);

inline constexpr std::size_t most_basic_blocks = 128;

}  // namespace camber
