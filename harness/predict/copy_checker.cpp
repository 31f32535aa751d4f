#include "harness/predict/copy_checker.hpp"

#include <algorithm>

namespace camber {

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
