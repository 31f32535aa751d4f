// Control flow of a kernel's machine code: natural loops and basic blocks, derived from its
// branches. Kernel time predictions multiply the instructions of a loop by its iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// The loops of a program text, from where its branches go.

// Where an instruction may go on.
struct FlowStep {
    bool goes_on = true;                   // to the one behind it
    std::optional<std::ptrdiff_t> target;  // a branch's, by number
    bool goes_anywhere = false;            // to an address that only the run tells
    bool ends = false;                     // a warp may end here
    bool calls = false;                    // a function, or returns from one
};

// Region 0 is what stands in no loop; each other region is a loop, an outer one before those
// inside.
struct LoopForest {
    std::vector<std::size_t> within;   // by region: the one around it
    std::vector<std::size_t> loop_of;  // by instruction: the innermost region
    std::size_t first_uncounted = 1;

    // The innermost region that is no uncounted loop.
    std::size_t counted_loop_of(std::size_t instruction) const {
        std::size_t region = loop_of[instruction];
        while (region >= first_uncounted) region = within[region];
        return region;
    }
};

// Natural loops (Aho, Sethi and Ullman 1986, section 10.4): for each branch back to an instruction
// without which it cannot be reached, all that lies between. Branches back to one instruction make
// one loop. Loops without any of `counted` stand behind the others. Only region 0 where a step goes
// anywhere.
LoopForest find_loops(const std::vector<FlowStep>& steps, const std::vector<bool>& counted);

// The pieces of a program text between its branches, and where a warp may go on from each.

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
