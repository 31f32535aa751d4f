// Finds races, reads of unwritten memory and outputs that nothing writes in what the executor
// records.
//
// Two accesses of one launch to the same bytes race when at least one writes, not both are atomic,
// and nothing orders them: __syncthreads() orders the threads of a block, a __syncwarp() of the
// whole warp its lanes; shuffles, votes and a __syncwarp() of some lanes order nothing here
// (the last is stricter than the device). Blocks of a launch are in no order at all, but for a grid
// barrier, which orders all that is before it before all that is after it; and a cluster barrier
// does so for the blocks of a cluster, in global memory and in each other's shared memory. A race
// is found in any order of execution, so the one that the executor takes is enough.
//
// The state of global memory costs about 35 bytes for each byte that kernels touch, 4 for the rest.
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
    // Keeps at most `examples` for each pair of sites.
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

    // Reports the cells of outputs that were poisoned since the last call and that nothing has
    // written since. `when`: "after generation 3".
    void check_outputs(const std::string& when);
    // A fault that ended the launch.
    void add(const simt::KernelFault& fault);

    // In the order in which each was found first.
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    // Kind, the two sites, their operations.
    using Key = std::tuple<FindingKind, simt::SiteId, simt::SiteId, Operation, Operation>;

    void set_state(const void* memory, std::size_t pitch, Rectangle shape, std::uint32_t state);
    std::uint32_t linear_block(const simt::Index3& block) const;
    // The cluster that has the block, and which block a mark of that cluster is of.
    std::uint32_t linear_cluster(const simt::Index3& block) const;
    simt::Index3 block_of(std::uint32_t linear_cluster, const Mark& mark) const;
    std::uint16_t thread_of_cluster(const simt::Index3& block, std::uint32_t thread) const;
    // Of the same block; in shared memory.
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
    // Numbers of blocks. To global memory a launch is over at a grid barrier, and the next begins.
    std::uint32_t launch_block_ = 1;  // the first of this launch
    std::uint32_t first_block_ = 1;   // the first since its last grid barrier
    std::uint32_t next_block_ = 1;    // of what comes next
    ShadowMemory global_;
    ShadowMemory shared_;
    CopyChecker copies_;
    std::map<std::uintptr_t, std::size_t> sizes_;  // of the queue's allocations
    std::vector<ByteArea> outputs_;                // poisoned since the last check of them
    std::map<Key, std::size_t> index_;
    std::map<std::string, std::size_t> output_index_;  // by field
    std::vector<Finding> findings_;
};

}  // namespace camber
