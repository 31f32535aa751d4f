#include "harness/simt/host_queue.hpp"

#include <algorithm>
#include <utility>

#include "harness/kernel/launch.hpp"

namespace camber::simt {

DeviceLimits HostQueue::limits() const {
    DeviceLimits limits = HostMemoryQueue::limits();
    limits.threads_per_block = block_threads_limit;
    limits.shared_bytes_per_block = block_shared_limit;
    return limits;
}

std::vector<KernelFacts> HostQueue::take_kernel_facts() {
    return std::exchange(facts_, {});
}

void HostQueue::launch(const char* kernel_name, const LaunchShape& shape,
                       const std::function<void()>& thread) {
    const bool known = std::any_of(facts_.begin(), facts_.end(),
                                   [&](const auto& facts) { return facts.name == kernel_name; });
    if (!known) {
        KernelFacts facts;
        facts.name = kernel_name;
        std::copy_n(&shape.block.x, 3, facts.block);
        std::copy_n(&shape.grid.x, 3, facts.grid);
        facts.dynamic_shared = shape.dynamic_shared;
        facts_.push_back(std::move(facts));
    }
    executor_.run({label().empty() ? kernel_name : label() + " (" + kernel_name + ")",
                   {shape.grid.x, shape.grid.y, shape.grid.z},
                   {shape.block.x, shape.block.y, shape.block.z},
                   shape.dynamic_shared,
                   shape.cooperative},
                  thread);
}

}  // namespace camber::simt
