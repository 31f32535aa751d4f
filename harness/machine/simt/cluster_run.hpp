// The clusters of a launch, one after another on one CPU thread. The blocks of a cluster take
// turns: each runs until all its threads wait at a cluster barrier or have returned.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

// Blocks of the cluster of that number, by rank. Clusters count as blocks do, x fastest.
std::vector<Index3> blocks_of_cluster(const Launch& launch, std::uint64_t cluster);

class ClusterRun {
  public:
    ClusterRun(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
               SiteTable& sites, StackPool& stacks);
    // Ends threads that have not returned.
    ~ClusterRun();
    ClusterRun(const ClusterRun&) = delete;
    ClusterRun& operator=(const ClusterRun&) = delete;

    // Throws what the first faulting thread threw. After a throw it cannot be used again.
    void run(const std::vector<Index3>& blocks);

  private:
    std::vector<std::unique_ptr<BlockRunner>> runners_;  // by rank
};

}  // namespace camber::simt
