// Runs a CUDA kernel on the CPU, thread by thread: every CUDA thread of a block is a fiber, and
// blocks are distributed over CPU threads. The blocks of a cooperative launch take turns on one CPU
// thread: each runs until all its threads wait at a grid barrier or have returned. The blocks of a
// cluster take turns in the same way, with cluster barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/recorder.hpp"
#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

class StackPool;
class CooperativeRun;

// Limits of compute capability 9.0, enforced so that a kernel that runs here can be launched on
// such a device.
inline constexpr std::size_t static_shared_limit = 48 * 1024;
inline constexpr std::size_t block_shared_limit = 227 * 1024;
inline constexpr unsigned block_threads_limit = 1024;
inline constexpr unsigned block_depth_limit = 64;         // z
inline constexpr unsigned grid_width_limit = 2147483647;  // x
inline constexpr unsigned grid_height_limit = 65535;      // y and z

// Portable cluster size, supported by every GPU with clusters: CUDA C++ Programming Guide, "Thread
// Block Clusters".
inline constexpr unsigned cluster_blocks_limit = 8;

// Limit for a cooperative launch, all of whose threads exist at once. A stack and its guard page
// are two mappings, and Linux limits a process to 65530 (max_map_count).
inline constexpr unsigned cooperative_threads_limit = 16 * 1024;

struct Launch {
    std::string name;  // variant and kernel, for messages
    Extent3 grid;
    Extent3 block;
    std::size_t dynamic_shared = 0;  // bytes
    bool cooperative = false;        // blocks may wait for each other at grid_barrier()
    Extent3 cluster{};               // blocks that may wait for each other at cluster_barrier()
};

class Executor {
  public:
    // `cpu_threads`: 0 for all hardware threads.
    explicit Executor(int cpu_threads = 0);

    // Calls `kernel` once for every CUDA thread of the launch; returns when all have returned.
    // Throws the fault of the lowest faulting block.
    void run(const Launch& launch, const std::function<void()>& kernel);

    // Like run() for a cooperative launch, but divided into parts, so that launches can take turns.
    // nullptr if the block filter excludes all its blocks.
    std::unique_ptr<CooperativeRun> begin(const Launch& launch,
                                          const std::function<void()>& kernel);

    // While a recorder is set, every access is reported to it, and blocks run in order on one CPU
    // thread. nullptr ends recording.
    void set_recorder(Recorder* recorder) { recorder_ = recorder; }
    bool is_recording() const { return recorder_ != nullptr; }
    void tell(const LibraryCall& call) const {
        if (recorder_) recorder_->library(call);
    }

    // Sites of all recorded launches; their numbers are valid for the lifetime of the executor.
    const SiteTable& sites() const { return sites_; }

    // Runs only blocks whose linear index (x fastest) `chosen` accepts: a sample of a launch, with
    // an incomplete result. `chosen` is called in index order, by several CPU threads. An empty
    // function selects all blocks. A cooperative launch runs as a whole, since its blocks wait for
    // each other, or not at all if `chosen` accepts none of its blocks; so does each cluster.
    // `others_run`: the other blocks run as well, but are not recorded.
    void set_block_filter(std::function<bool(std::uint64_t)> chosen, bool others_run = false) {
        chosen_block_ = std::move(chosen);
        others_run_ = others_run;
    }

    int cpu_threads() const { return cpu_threads_; }

  private:
    bool is_any_chosen(const std::vector<Index3>& blocks, const Extent3& grid) const;
    void run_cooperative(const Launch& launch, const std::function<void()>& kernel);
    std::unique_ptr<CooperativeRun> begin_cooperative(const Launch& launch,
                                                      const std::function<void()>& kernel);

    int cpu_threads_;
    Recorder* recorder_ = nullptr;
    std::function<bool(std::uint64_t)> chosen_block_;
    bool others_run_ = false;
    SiteTable sites_;
    std::shared_ptr<StackPool> stacks_;
};

}  // namespace camber::simt
