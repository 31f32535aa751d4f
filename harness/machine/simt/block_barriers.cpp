// Barriers of a block and of the grid: who waits where, and who will never come.
#include <fmt/format.h>

#include <bit>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

bool BlockRunner::all_wait(ThreadState::Status status) const {
    for (const ThreadState& state : threads_)
        if (state.status != status || !same_line(state.site, site())) return false;
    return true;
}

// Nothing can run: some thread waits for another that will not come.
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
    self.fibre->suspend();
    ++self.barriers;
}

// What it orders in the grid, it orders in the block, too.
void BlockRunner::grid_barrier(ThreadState& self, const std::source_location& site) {
    if (!launch_.cooperative)
        fault(FaultKind::barrier, "comes to a grid_barrier() in a launch that is not cooperative",
              site);
    self.status = ThreadState::Status::at_grid_barrier;
    self.site = site;
    self.fibre->suspend();
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

}  // namespace camber::simt
