// Loop iterations of each lane of a launch. Accesses of one instruction are matched across lanes by
// iteration, even if some lanes skip an access.
//
// Instrumentation reports the beginning of each basic block. Unoptimized code has the order of the
// source, so that a jump to an earlier address of the same function closes a loop between the two
// addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber {

// Loops found so far in a launch's code. A loop is added when a lane jumps back in it.
using LoopEnds = std::map<std::uintptr_t, std::uintptr_t>;  // first address to last address

// Counters by 64-bit hash. clear() costs no time, so that each block can begin with empty counters.
class VisitCounts {
  public:
    void clear();
    // Counter of `what`, 0 at first. The reference is valid until the next call.
    std::uint32_t& operator[](std::uint64_t what) {
        if (2 * (filled_ + 1) > slots_.size()) grow();
        std::size_t i = what & (slots_.size() - 1);
        for (; slots_[i].epoch == epoch_; i = (i + 1) & (slots_.size() - 1))
            if (slots_[i].what == what) return slots_[i].count;
        slots_[i] = {what, epoch_, 0};
        ++filled_;
        return slots_[i].count;
    }

  private:
    struct Slot {
        std::uint64_t what = 0;
        std::uint32_t epoch = 0;  // the slot is free unless it is the current one
        std::uint32_t count = 0;
    };
    void grow();

    std::vector<Slot> slots_ = std::vector<Slot>(16);  // open addressing; a power of two
    std::size_t filled_ = 0;
    std::uint32_t epoch_ = 1;
};

// Numbers for the visits to a site, as simt::VisitNumbers, for sites that are hashes.
class SiteVisits {
  public:
    std::uint32_t number(std::uint64_t site, std::uint64_t what) {
        std::uint32_t& number = numbers_[simt::joined_hash(site, what)];
        if (number == 0) number = ++of_sites_[site];
        return number - 1;
    }

  private:
    VisitCounts numbers_;   // from 1
    VisitCounts of_sites_;  // number of visits
};

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
    std::uint64_t iteration() const { return loops_.empty() ? 0 : loops_.back().hash; }
    // Number of earlier calls of count() with `what`, a hash, since the start of the kernel.
    std::uint32_t count(std::uint64_t what) { return counts_[what]++; }

  private:
    struct Loop {
        std::uintptr_t first;
        std::uint32_t iteration;
        const std::uintptr_t* last;  // value of LoopEnds
        std::uint64_t entered;       // hash of the outer loops' iterations and of this loop
        std::uint64_t hash;          // the same, with this loop's iteration
    };
    struct Frame {
        int function;
        simt::SiteId outer_path;
        std::uintptr_t last = 0;  // start of the latest basic block
        std::size_t loops = 0;    // number of open loops in outer frames
    };

    std::vector<Frame> frames_;
    std::vector<Loop> loops_;  // open loops of all frames, outermost first
    VisitCounts counts_;
};

}  // namespace camber
