// A block as one of a cluster.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

void BlockRunner::join_cluster(const std::vector<std::unique_ptr<BlockRunner>>& runners,
                               unsigned rank) {
    cluster_ = &runners;
    rank_ = rank;
}

// What it orders in the cluster, it orders in the block, too.
void BlockRunner::cluster_barrier(ThreadState& self, const std::source_location& site) {
    if (!cluster_) return barrier(self, site);
    self.status = ThreadState::Status::at_cluster_barrier;
    self.site = site;
    self.fibre->suspend();
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

}  // namespace camber::simt
