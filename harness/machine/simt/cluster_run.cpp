#include "harness/machine/simt/cluster_run.hpp"

#include <cstddef>

namespace camber::simt {

std::vector<Index3> blocks_of_cluster(const Launch& launch, std::uint64_t cluster) {
    const Extent3& size = launch.cluster;
    const Extent3 clusters{launch.grid.x / size.x, launch.grid.y / size.y, launch.grid.z / size.z};
    const Index3 at = block_index(cluster, clusters);
    std::vector<Index3> blocks;
    for (std::uint64_t rank = 0; rank < size.count(); ++rank) {
        const Index3 inside = block_index(rank, size);
        blocks.push_back(
            {at.x * size.x + inside.x, at.y * size.y + inside.y, at.z * size.z + inside.z});
    }
    return blocks;
}

ClusterRun::ClusterRun(const Launch& launch, const std::function<void()>& kernel,
                       Recorder* recorder, SiteTable& sites, StackPool& stacks) {
    for (unsigned rank = 0; rank < launch.cluster.count(); ++rank) {
        runners_.push_back(std::make_unique<BlockRunner>(launch, kernel, recorder, sites, stacks));
        runners_.back()->join_cluster(runners_, rank);
    }
}

ClusterRun::~ClusterRun() {
    // What their functions leave behind when they end in the middle.
    ThreadState ended;
    current = &ended;
    runners_.clear();
    current = nullptr;
}

void ClusterRun::run(const std::vector<Index3>& blocks) {
    for (std::size_t rank = 0; rank < runners_.size(); ++rank) runners_[rank]->start(blocks[rank]);
    for (;;) {
        std::size_t returned = 0;
        for (const auto& runner : runners_)
            if (runner->advance() == BlockRunner::Progress::returned) ++returned;
        if (returned == runners_.size()) break;
        pass_barrier(runners_, "cluster_barrier()");
    }
    for (const auto& runner : runners_) runner->check_distributed_end();
}

}  // namespace camber::simt
