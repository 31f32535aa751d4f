// Shuffles, votes and synchronisations of a warp.
#include <bit>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

unsigned BlockRunner::lanes_of_warp(std::size_t warp) const {
    const std::size_t lanes = threads_.size() - 32 * warp;
    return lanes >= 32 ? ~0u : (1u << lanes) - 1;
}

std::uint64_t BlockRunner::collective(ThreadState& self, WarpOperation operation, unsigned mask,
                                      std::uint64_t value, int source_lane,
                                      const std::source_location& site) {
    const std::size_t warp = self.linear / 32;
    const unsigned lane = self.linear % 32;
    mask &= lanes_of_warp(warp);
    if (!(mask >> lane & 1))
        fault(FaultKind::collective, "calls a warp collective whose mask leaves itself out", site);
    self.value = value;
    self.source_lane = source_lane;

    auto& groups = pending_[warp];
    std::size_t g = 0;
    while (g < groups.size() && groups[g].mask != mask) ++g;
    if (g == groups.size()) groups.push_back({operation, mask, 0});
    if (groups[g].operation != operation)
        fault(FaultKind::collective,
              "meets lanes of its mask that are in another kind of warp collective", site);
    groups[g].arrived |= 1u << lane;
    if (groups[g].arrived == mask) {
        finish(warp, groups[g]);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
    } else {
        self.status = ThreadState::Status::in_collective;
        self.site = site;
        self.fibre->suspend();
    }
    return self.value;
}

void BlockRunner::finish(std::size_t warp, const Collective& collective) {
    ThreadState* const lanes = threads_.data() + 32 * warp;
    std::uint64_t before[32] = {};
    unsigned ballot = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (collective.mask >> lane & 1) {
            before[lane] = lanes[lane].value;
            if (before[lane] != 0) ballot |= 1u << lane;
        }
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(collective.mask >> lane & 1)) continue;
        ThreadState& state = lanes[lane];
        if (collective.operation == WarpOperation::shuffle)
            // The value of a lane outside the mask is undefined: here it is 0.
            state.value = before[state.source_lane & 31];
        else if (collective.operation == WarpOperation::ballot)
            state.value = ballot;
        state.status = ThreadState::Status::ready;
        // Only __syncwarp() orders the lanes' memory accesses: shuffles and votes do not (CUDA C++
        // Programming Guide, "Warp Shuffle Functions").
        if (collective.operation == WarpOperation::synchronize &&
            collective.mask == lanes_of_warp(warp))
            ++state.warp_syncs;
    }
}

}  // namespace camber::simt
