// Control flow of a kernel's machine code: natural loops and basic blocks, derived from its
// branches. Kernel time predictions multiply the instructions of a loop by its iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.hpp"

namespace camber {

// An instruction.
struct FlowStep {
    bool goes_on = true;                // execution may continue with the next instruction
    std::optional<std::size_t> target;  // branch target, as an instruction number
    bool goes_anywhere = false;         // branches to an address that is only known at run time
    bool ends = false;                  // a warp may exit here
    bool calls = false;                 // calls a function, or returns from one
    bool access = false;                // accesses memory
    bool predicated = false;
    bool noticed = false;  // an access or synchronization reveals that it is executed
    std::map<std::string, std::int64_t> counts = {};  // by class, with "total"
};

// Region 0 contains the instructions outside all loops; each other region is a loop, outer loops
// before inner ones.
struct LoopForest {
    std::vector<std::size_t> within;   // by region: the surrounding region
    std::vector<std::size_t> loop_of;  // by instruction: the innermost region
    std::size_t first_uncounted = 1;   // region: this and later loops access no memory

    // The innermost region that is not an uncounted loop.
    std::size_t counted_loop_of(std::size_t instruction) const {
        std::size_t region = loop_of[instruction];
        while (region >= first_uncounted) region = within[region];
        return region;
    }
};

// Finds natural loops (Aho, Sethi and Ullman 1986, section 10.4): for each branch back to an
// instruction that dominates it, all instructions in between. Branches back to the same instruction
// form one loop. Loops without accesses come after the others. Returns only region 0 if an
// instruction branches to an unknown address.
LoopForest find_loops(const std::vector<FlowStep>& steps);

// Basic blocks of the code, beginning with the kernel's entry. Paths that no access distinguishes
// are merged: among paths from one block to another without noticed instructions, the shortest is
// kept, and the instructions of the others count as "skippable" in the block where they branch off;
// a loop without accesses is traversed once. Empty if a single block remains, if a step calls a
// function or branches to an unknown address, or if more than `most_basic_blocks` remain.
std::vector<results::BasicBlock> find_basic_blocks(const std::vector<FlowStep>& steps,
                                                   const LoopForest& forest);

inline constexpr std::size_t most_basic_blocks = 128;

}  // namespace camber
