// Loop iterations of each lane of a launch. Accesses of one instruction are matched across lanes by
// iteration, even if some lanes skip an access.
//
// Instrumentation reports the beginning of each basic block. Unoptimized code has the order of the
// source, so that a jump to an earlier address of the same function closes a loop between the two
// addresses.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber {

// Loops found so far in a launch's code. A loop is added when a lane jumps back in it.
using LoopEnds = std::map<std::uintptr_t, std::uintptr_t>;  // first address to last address

// Path of one lane through functions and loops.
class LoopPath {
  public:
    void begin();  // at the start of the kernel
    // Enters a function that accesses memory; `outer_path`: the executor's call path before the
    // call.
    void enter(int function, simt::SiteId outer_path);
    // Leaves the function; returns its `outer_path`.
    simt::SiteId leave();
    bool inside() const { return !frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // A basic block of `function` begins.
    void branch(std::uintptr_t pc, int function, LoopEnds& ends);
    // Hash that differs for every iteration of the open loops.
    std::uint64_t iteration() const;
    // Number of earlier calls of count() with `what` in this iteration.
    std::uint32_t count(std::uint64_t what) { return counts_[what]++; }

  private:
    struct Loop {
        std::uintptr_t first;
        std::uint32_t iteration;
    };
    struct Frame {
        int function;
        simt::SiteId outer_path;
        std::uintptr_t last = 0;  // start of the latest basic block
        std::size_t loops = 0;    // number of open loops in outer frames
    };

    std::vector<Frame> frames_;
    std::vector<Loop> loops_;  // open loops of all frames, outermost first
    std::unordered_map<std::uint64_t, std::uint32_t> counts_;
};

}  // namespace camber
