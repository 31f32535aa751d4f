// Where each lane of a launch stands in its loops, so that accesses of one instruction are told
// apart by the iterations that they belong to, whichever lanes leave one out.
//
// The compiled code tells when a straight piece of it begins. Code that is not optimised lies in
// the order of the source, so a step to an earlier address of the same function closes a loop: the
// loop lies between the two.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber {

// The loops of a launch's code, found as lanes close them.
using LoopEnds = std::map<std::uintptr_t, std::uintptr_t>;  // by the first address: the last one

// One lane's way.
class LoopPath {
  public:
    void begin();  // of the kernel
    // A function that touches memory; `outer_path`: what the executor's call path was before.
    void enter(int function, simt::SiteId outer_path);
    // Returns that call path.
    simt::SiteId leave();
    bool inside() const { return !frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // A straight piece of code begins, in `function`.
    void branch(std::uintptr_t pc, int function, LoopEnds& ends);
    // Differs for every iteration of the open loops.
    std::uint64_t iteration() const;
    // How often the lane did this before in this iteration.
    std::uint32_t count(std::uint64_t what) { return counts_[what]++; }

  private:
    struct Loop {
        std::uintptr_t first;
        std::uint32_t iteration;
    };
    struct Frame {
        int function;
        simt::SiteId outer_path;
        std::uintptr_t last = 0;  // where the latest straight piece began
        std::size_t loops = 0;    // of the frames outside
    };

    std::vector<Frame> frames_;
    std::vector<Loop> loops_;  // those of all frames, from the outermost in
    std::unordered_map<std::uint64_t, std::uint32_t> counts_;
};

}  // namespace camber
