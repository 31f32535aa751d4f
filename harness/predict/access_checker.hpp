// Finds races, reads of unwritten memory and outputs that no kernel writes in the executor's
// record.
//
// Two accesses of one launch to the same bytes race if at least one writes, they are not both
// atomic, and nothing orders them. __syncthreads() orders the threads of a block, and a
// __syncwarp() of the whole warp orders its lanes. Shuffles, votes and a __syncwarp() of some lanes
// order nothing here (the last is stricter than the device). The blocks of a launch are unordered,
// except by a grid barrier, which orders all accesses before it ahead of all accesses after it. A
// cluster barrier does the same for the blocks of a cluster, in global memory and in each other's
// shared memory. A race is found in any order of execution, so the executor's single order
// suffices.
//
// The state of global memory costs about 35 bytes for each byte that kernels touch, and 4 bytes for
// each other byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/machine/queue/memory_observer.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/predict/shadow.hpp"

namespace camber {

class AccessChecker final : public simt::Recorder, public MemoryObserver {
  public:
    // Stores at most `examples` examples for each pair of call sites.
    explicit AccessChecker(int examples);

    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) override;
    void record(const simt::Access& access) override;
    void copy(const simt::CopyEvent& event) override;
    void end_block(const simt::Index3& block) override;
    void grid_barrier() override;

    void allocated(const void* memory, std::size_t bytes) override;
    void released(const void* memory) noexcept override;
    void written(const void* memory, std::size_t pitch, Rectangle shape) override;
    void poisoned(const ByteArea& area) override;
    void copied(const void* to, const void* from, std::size_t bytes) override;

    // Reports the output cells that were poisoned since the last call and not written since.
    // `when`: "after generation 3".
    void check_outputs(const std::string& when);
    // Adds a fault that ended the launch.
    void add(const simt::KernelFault& fault);

    // Findings in the order of their first occurrence.
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    // Kind, both call sites, both operations.
    using Key = std::tuple<FindingKind, simt::SiteId, simt::SiteId, Operation, Operation>;

    void set_state(const void* memory, std::size_t pitch, Rectangle shape, std::uint32_t state);
    std::uint32_t linear_block(const simt::Index3& block) const;
    // Linear index of the cluster that contains the block, and the block of that cluster that
    // `mark` belongs to.
    std::uint32_t linear_cluster(const simt::Index3& block) const;
    simt::Index3 block_of(std::uint32_t linear_cluster, const Mark& mark) const;
    std::uint16_t thread_of_cluster(const simt::Index3& block, std::uint32_t thread) const;
    // Reports a race of two accesses of one block to shared memory, one of them a bulk copy.
    void report_race_with_copy(const Mark& earlier, const Mark& mark, const simt::Index3& block,
                               std::uint32_t offset);
    void report_race(const Mark& earlier, const Mark& mark, const simt::Access& access);
    void report_unwritten(const Mark& mark, const simt::Access& access);
    void report_output(const ByteArea& area, std::size_t row, std::size_t column,
                       const std::string& when);
    Finding& finding(const Key& key);
    std::string name_thread(std::uint32_t thread) const;

    int examples_;
    const simt::SiteTable* sites_ = nullptr;
    simt::Extent3 grid_;
    simt::Extent3 block_;
    simt::Extent3 cluster_;
    bool cooperative_ = false;
    // Block numbers. A grid barrier counts as the end of one launch and the start of the next for
    // global memory.
    std::uint32_t launch_block_ = 1;  // first block of this launch
    std::uint32_t first_block_ = 1;   // first block since the launch's last grid barrier
    std::uint32_t next_block_ = 1;    // first block of the next launch or grid phase
    ShadowMemory global_;
    ShadowMemory shared_;
    CopyChecker copies_;
    std::map<std::uintptr_t, std::size_t> sizes_;  // sizes of the queue's allocations, by address
    std::vector<ByteArea> outputs_;                // outputs poisoned since the last check
    std::map<Key, std::size_t> index_;
    std::map<std::string, std::size_t> output_index_;  // by field
    std::vector<Finding> findings_;
};

}  // namespace camber
