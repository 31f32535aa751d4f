#include "harness/predict/shadow.hpp"

#include <algorithm>
#include <utility>

namespace camber {

void MarkPair::add(const Mark& mark, std::uint32_t first_block) {
    Mark& latest = marks_[0];
    Mark& other = marks_[1];
    const auto known = [&](const Mark& m) { return m.block >= first_block; };
    if (!known(latest)) {
        latest = mark;
        other = {};
        return;
    }
    if (!known(other)) other = {};
    if (latest.block != mark.block) {
        // Every later access is in another block than `other`.
        other = latest;
        latest = mark;
    } else if (other.block != 0 && other.block != mark.block) {
        latest = mark;
    } else if (latest.cluster_barrier != mark.cluster_barrier) {
        latest = mark;
        other = {};
    } else if (!latest.same_block(mark)) {
        // Every later access is in another block of the cluster than one of these two.
        other = latest;
        latest = mark;
    } else if (other.block != 0 && !other.same_block(mark)) {
        latest = mark;
    } else if (latest.barrier != mark.barrier) {
        latest = mark;
        other = {};
    } else if (latest.thread == mark.thread) {
        latest = mark;
    } else if (!latest.same_warp(mark)) {
        // If accesses of two warps are stored, at least one is in another warp than any later
        // access.
        if (other.block == 0 || other.same_warp(latest)) other = mark;
    } else if (latest.warp_sync != mark.warp_sync) {
        latest = mark;
        if (other.same_warp(mark)) other = {};
    } else if (other.block == 0 || other.same_warp(mark)) {
        other = mark;
    }
}

std::optional<Mark> ShadowCell::touch(const Mark& mark, std::uint32_t first_block) {
    const Mark* earlier = nullptr;
    if (writer_.block >= first_block && writer_.unordered(mark)) earlier = &writer_;
    if (!earlier && mark.operation != Operation::load)
        earlier = readers_.unordered_with(mark, first_block);
    if (!earlier && mark.operation != Operation::atomic)
        earlier = atomics_.unordered_with(mark, first_block);
    const auto found = earlier ? std::optional(*earlier) : std::nullopt;
    switch (mark.operation) {
        case Operation::load:
            readers_.add(mark, first_block);
            break;
        case Operation::store:
            writer_ = mark;
            break;
        case Operation::atomic:
            atomics_.add(mark, first_block);
            break;
    }
    return found;
}

void ShadowPage::refine() {
    std::vector<ShadowCell> fine(bytes);
    for (std::size_t i = 0; i < bytes; ++i) fine[i] = cells_[i >> shift_];
    cells_ = std::move(fine);
    shift_ = 0;
}

std::optional<Mark> ShadowPage::touch(std::size_t offset, std::size_t size, const Mark& mark,
                                      std::uint32_t first_block) {
    if (cells_.empty()) cells_.resize(bytes >> shift_);
    if (shift_ > 0 && (offset | size) % 4 != 0) refine();
    std::optional<Mark> found;
    for (std::size_t i = offset >> shift_; i <= (offset + size - 1) >> shift_; ++i) {
        const auto earlier = cells_[i].touch(mark, first_block);
        if (!found) found = earlier;
    }
    return found;
}

std::optional<Mark> ShadowPage::hand_over(std::size_t offset, std::size_t size, const Mark& mark,
                                          std::uint32_t first_block) {
    const auto earlier = touch(offset, size, mark, first_block);
    for (std::size_t i = offset >> shift_; i <= (offset + size - 1) >> shift_; ++i) cells_[i] = {};
    return earlier;
}

ShadowPage& ShadowMemory::page_of(std::uintptr_t address) {
    const std::uintptr_t number = address / ShadowPage::bytes;
    Recent& recent = recent_[number % std::size(recent_)];
    if (recent.number != number) {
        auto& page = pages_[number];
        if (!page) page = std::make_unique<ShadowPage>(written_);
        recent = {number, page.get()};
    }
    return *recent.page;
}

bool CopyChecker::Copy::is_there_for(const Mark& mark) const {
    const std::uint32_t thread = mark.thread % Mark::threads_of_block;
    return barrier < mark.barrier || warp_sync[thread / 32] < mark.warp_sync ||
           std::ranges::find(threads, thread) != threads.end();
}

void CopyChecker::begin(std::uint32_t block, const simt::CopyEvent& event, const Mark& mark) {
    std::vector<Copy>& copies = blocks_[block];
    const std::uint32_t end = event.offset + event.size;
    std::erase_if(copies, [&](const Copy& earlier) {
        return earlier.begin >= event.offset && earlier.end <= end;
    });
    Copy& copy = copies.emplace_back(
        Copy{event.copy_barrier, event.phase, event.offset, end, mark, {}, never, {}});
    copy.warp_sync.fill(never);
}

void CopyChecker::awaited(std::uint32_t block, const simt::CopyEvent& event) {
    for (Copy& copy : blocks_[block]) {
        if (copy.copy_barrier != event.copy_barrier || copy.phase > event.phase) continue;
        copy.threads.push_back(event.thread);
        copy.barrier = std::min(copy.barrier, event.barrier);
        std::uint32_t& warp_sync = copy.warp_sync[event.thread / 32];
        warp_sync = std::min(warp_sync, event.warp_sync);
    }
}

std::optional<Mark> CopyChecker::hidden(std::uint32_t block, std::uint32_t offset,
                                        std::uint32_t size, const Mark& mark) const {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return std::nullopt;
    for (const Copy& copy : found->second)
        if (copy.begin < offset + size && offset < copy.end && !copy.is_there_for(mark))
            return copy.writer;
    return std::nullopt;
}

}  // namespace camber
