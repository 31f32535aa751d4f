#include "harness/own/host/loop_path.hpp"

#include <algorithm>

namespace camber {

void LoopPath::begin() {
    frames_.clear();
    loops_.clear();
    counts_.clear();
}

void LoopPath::enter(int function, simt::SiteId outer_path) {
    frames_.push_back({function, outer_path, 0, loops_.size()});
}

simt::SiteId LoopPath::leave() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    loops_.resize(frame.loops);
    return frame.outer_path;
}

void LoopPath::branch(std::uintptr_t pc, int function, LoopEnds& ends) {
    if (frames_.empty()) return;
    Frame& frame = frames_.back();
    // Basic blocks of functions that access no memory are not tracked.
    if (frame.function != function) return;
    const std::uintptr_t last = frame.last;
    frame.last = pc;
    const bool back = last != 0 && pc <= last;
    if (back) {
        std::uintptr_t& end = ends[pc];
        end = std::max(end, last);
    }
    // Close loops that were left: those that end before `pc`, and those nested in the loop that
    // continues.
    while (loops_.size() > frame.loops) {
        const Loop& loop = loops_.back();
        if (loop.first <= pc && pc <= ends[loop.first]) break;
        loops_.pop_back();
    }
    if (!back) return;
    if (loops_.size() > frame.loops && loops_.back().first == pc)
        ++loops_.back().iteration;
    else
        loops_.push_back({pc, 1});
}

std::uint64_t LoopPath::iteration() const {
    std::uint64_t hash = 0;
    for (const Loop& loop : loops_)
        hash = simt::joined_hash(simt::joined_hash(hash, loop.first), loop.iteration);
    return hash;
}

}  // namespace camber
