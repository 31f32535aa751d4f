// Points where the threads of a block meet: block, grid and cluster barriers, shared memory of the
// cluster's other blocks, and warp collectives. Divergent threads are reported as faults.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

// Barriers of a block and of the grid, and detection of threads that will never arrive.
bool BlockRunner::all_wait(ThreadState::Status status) const {
    for (const ThreadState& state : threads_)
        if (state.status != status || !same_line(state.site, site())) return false;
    return true;
}

// Reports why no thread can run: some thread waits for another that will never arrive.
void BlockRunner::report_stuck() const {
    using Status = ThreadState::Status;
    const auto find = [this](Status status) -> const ThreadState* {
        for (const ThreadState& state : threads_)
            if (state.status == status) return &state;
        return nullptr;
    };
    if (const ThreadState* thread = find(Status::at_copies)) {
        current = const_cast<ThreadState*>(thread);
        fault(FaultKind::bulk_copy, copies_.describe(thread->copy_barrier), thread->site);
    }
    if (const ThreadState* lane = find(Status::in_collective)) {
        current = const_cast<ThreadState*>(lane);
        const auto& groups = pending_[lane->linear / 32];
        unsigned missing = 0;
        for (const Collective& group : groups)
            if (group.arrived >> (lane->linear % 32) & 1) missing = group.mask & ~group.arrived;
        fault(FaultKind::collective,
              fmt::format("waits in a warp collective for lane {} of its mask, which never arrives",
                          std::countr_zero(missing)),
              lane->site);
    }
    const ThreadState* waiting = find(Status::at_barrier);
    if (!waiting) waiting = find(Status::at_grid_barrier);
    if (!waiting) waiting = find(Status::at_cluster_barrier);
    const char* const name = waiting->status == Status::at_barrier        ? "__syncthreads()"
                             : waiting->status == Status::at_grid_barrier ? "grid_barrier()"
                                                                          : "cluster_barrier()";
    current = const_cast<ThreadState*>(waiting);
    std::size_t arrived = 0;
    for (const ThreadState& state : threads_)
        if (state.status == waiting->status && same_line(state.site, waiting->site)) ++arrived;
    for (const ThreadState& state : threads_) {
        if (state.status == Status::returned)
            fault(FaultKind::barrier,
                  fmt::format("{} was reached by {} of {} threads; thread {} has returned without "
                              "it",
                              name, arrived, threads_.size(), describe(state.thread)),
                  waiting->site);
        if (!same_line(state.site, waiting->site))
            fault(FaultKind::barrier,
                  fmt::format("{} was reached by {} of {} threads; thread {} waits at another one, "
                              "{}",
                              name, arrived, threads_.size(), describe(state.thread),
                              describe(state.site)),
                  waiting->site);
    }
    fault(FaultKind::barrier, "cannot go on", waiting->site);
}

void BlockRunner::barrier(ThreadState& self, const std::source_location& site) {
    self.status = ThreadState::Status::at_barrier;
    self.site = site;
    wait(self);
    ++self.barriers;
}

// A grid barrier also orders the accesses of the block.
void BlockRunner::grid_barrier(ThreadState& self, const std::source_location& site) {
    if (!launch_.cooperative)
        fault(FaultKind::barrier, "comes to a grid_barrier() in a launch that is not cooperative",
              site);
    self.status = ThreadState::Status::at_grid_barrier;
    self.site = site;
    wait(self);
    ++self.barriers;
}

void pass_barrier(const std::vector<std::unique_ptr<BlockRunner>>& runners, const char* name) {
    const BlockRunner* first = nullptr;
    std::size_t arrived = 0;
    for (const auto& runner : runners) {
        if (!runner->waits()) continue;
        if (!first) first = runner.get();
        if (same_line(runner->site(), first->site())) ++arrived;
    }
    for (const auto& runner : runners) {
        if (!runner->waits())
            first->fault_of_first(
                FaultKind::barrier,
                fmt::format("{} was reached by {} of {} blocks; block {} has returned without it",
                            name, arrived, runners.size(), describe(runner->block())));
        if (!same_line(runner->site(), first->site()))
            first->fault_of_first(
                FaultKind::barrier,
                fmt::format("{} was reached by {} of {} blocks; block {} waits at another one, {}",
                            name, arrived, runners.size(), describe(runner->block()),
                            describe(runner->site())));
    }
    for (const auto& runner : runners) runner->release();
}

// Makes the block a member of a cluster.
void BlockRunner::join_cluster(const std::vector<std::unique_ptr<BlockRunner>>& runners,
                               unsigned rank) {
    cluster_ = &runners;
    rank_ = rank;
}

// A cluster barrier also orders the accesses of the block.
void BlockRunner::cluster_barrier(ThreadState& self, const std::source_location& site) {
    if (!cluster_) return barrier(self, site);
    self.status = ThreadState::Status::at_cluster_barrier;
    self.site = site;
    wait(self);
    ++self.barriers;
    ++self.cluster_barriers;
}

BlockRunner& BlockRunner::block_of_cluster(unsigned rank, const std::source_location& site) {
    if (rank >= cluster_size())
        fault(FaultKind::out_of_bounds,
              fmt::format("asks for the shared memory of block {} of a cluster that has {}",
                          static_cast<int>(rank), cluster_size()),
              site);
    return cluster_ ? *(*cluster_)[rank] : *this;
}

void BlockRunner::touch_distributed(ThreadState& self, unsigned rank,
                                    const std::source_location& site) {
    const Index3 block = (*cluster_)[rank]->block();
    if (self.cluster_barriers == 0)
        fault(FaultKind::cluster,
              fmt::format("touches the shared memory of block {} before a cluster_barrier() tells "
                          "that the block has begun",
                          describe(block)),
              site);
    touch_ = {&self, block, site};
}

void BlockRunner::check_distributed_end() const {
    if (!touch_) return;
    current = const_cast<ThreadState*>(touch_->thread);
    fault(FaultKind::cluster,
          fmt::format("touches the shared memory of block {}, which may have ended: no "
                      "cluster_barrier() comes between",
                      describe(touch_->block)),
          touch_->site);
}

unsigned BlockRunner::owner_of(const void* address) const {
    const auto* const byte = static_cast<const std::byte*>(address);
    const auto holds = [&](const std::unique_ptr<BlockRunner>& runner) {
        return !std::less<>{}(byte, runner->shared_.get()) &&
               std::less<>{}(byte, runner->shared_.get() + block_shared_limit);
    };
    return static_cast<unsigned>(std::ranges::find_if(*cluster_, holds) - cluster_->begin());
}

// Shuffles, votes and synchronizations of a warp.
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
        wait(self);
    }
    return self.value;
}

const WarpFragments& BlockRunner::exchange_fragments(ThreadState& self, const Fragment& own,
                                                     const std::source_location& site) {
    if (fragments_.empty()) fragments_.resize(pending_.size());
    self.fragment = &own;
    collective(self, fragment_exchange, ~0u, 0, 0, site);
    return fragments_[self.linear / 32];
}

void BlockRunner::finish(std::size_t warp, const Collective& collective) {
    ThreadState* const lanes = threads_.data() + 32 * warp;
    const auto each = [&](auto&& f) {
        for (unsigned left = collective.mask; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            f(lanes[lane], lane);
        }
    };
    if (collective.operation == fragment_exchange) {
        each([&](ThreadState& state, int lane) { fragments_[warp][lane] = *state.fragment; });
    } else if (collective.operation == WarpOperation::shuffle) {
        // A source lane outside the mask yields an undefined value: here it is 0.
        std::uint64_t before[32] = {};
        each([&](ThreadState& state, int lane) { before[lane] = state.value; });
        each([&](ThreadState& state, int) { state.value = before[state.source_lane & 31]; });
    } else if (collective.operation == WarpOperation::ballot) {
        unsigned ballot = 0;
        each([&](ThreadState& state, int lane) { ballot |= unsigned{state.value != 0} << lane; });
        each([&](ThreadState& state, int) { state.value = ballot; });
    } else if (collective.mask == lanes_of_warp(warp)) {
        // Only __syncwarp() orders the lanes' memory accesses: shuffles and votes do not (CUDA C++
        // Programming Guide, "Warp Shuffle Functions").
        each([](ThreadState& state, int) { ++state.warp_syncs; });
    }
    each([](ThreadState& state, int) { state.status = ThreadState::Status::ready; });
}

}  // namespace camber::simt
