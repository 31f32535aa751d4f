// The loops of a program text, from where its branches go.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace camber {

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

}  // namespace camber
