#include "harness/own/host/plain_launch.hpp"

#include <algorithm>
#include <utility>

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
    const std::uintptr_t* known_end = nullptr;
    if (back) {
        std::uintptr_t& end = ends[pc];
        end = std::max(end, last);
        known_end = &end;
    }
    // Close loops that were left: those that end before `pc`, and those nested in the loop that
    // continues.
    while (loops_.size() > frame.loops) {
        const Loop& loop = loops_.back();
        if (loop.first <= pc && pc <= *loop.last) break;
        loops_.pop_back();
    }
    if (!back) return;
    if (loops_.size() == frame.loops || loops_.back().first != pc)
        loops_.push_back({pc, 0, known_end, simt::joined_hash(iteration(), pc), 0});
    Loop& loop = loops_.back();
    loop.hash = simt::joined_hash(loop.entered, ++loop.iteration);
}

void VisitCounts::clear() {
    filled_ = 0;
    if (++epoch_ != 0) return;
    slots_.assign(slots_.size(), {});  // epochs wrap around after 2^32 blocks
    epoch_ = 1;
}

void VisitCounts::grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old) {
        if (slot.epoch != epoch_) continue;
        std::size_t i = slot.what & (slots_.size() - 1);
        while (slots_[i].epoch == epoch_) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = slot;
    }
}

}  // namespace camber
