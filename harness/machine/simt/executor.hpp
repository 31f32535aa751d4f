// Runs a CUDA kernel on the CPU, thread by thread: every CUDA thread of a block is a fibre, blocks
// are spread over CPU threads. The blocks of a cooperative launch take turns on one CPU thread:
// each runs until all its threads wait at a grid barrier or have returned. So do the blocks of a
// cluster, up to its barriers.
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

// Limits of compute capability 9.0, enforced so that a kernel that runs here can be launched there.
inline constexpr std::size_t static_shared_limit = 48 * 1024;
inline constexpr std::size_t block_shared_limit = 227 * 1024;
inline constexpr unsigned block_threads_limit = 1024;
inline constexpr unsigned block_depth_limit = 64;         // z
inline constexpr unsigned grid_width_limit = 2147483647;  // x
inline constexpr unsigned grid_height_limit = 65535;      // y and z

// What every GPU with clusters takes: CUDA C++ Programming Guide, "Thread Block Clusters".
inline constexpr unsigned cluster_blocks_limit = 8;

// Of a cooperative launch, all of whose threads are alive at once. A stack and its guard page are
// two mappings, and Linux gives a process 65530 (max_map_count).
inline constexpr unsigned cooperative_threads_limit = 16 * 1024;

struct Launch {
    std::string name;  // variant and kernel, for messages
    Extent3 grid;
    Extent3 block;
    std::size_t dynamic_shared = 0;  // bytes
    bool cooperative = false;        // blocks may wait for each other at grid_barrier()
    Extent3 cluster{};               // blocks that may do so at cluster_barrier()
};

class Executor {
  public:
    // `cpu_threads` 0 takes every hardware thread.
    explicit Executor(int cpu_threads = 0);

    // Calls `kernel` once for every CUDA thread of the launch; returns when all have returned.
    // Throws the fault of the lowest faulting block.
    void run(const Launch& launch, const std::function<void()>& kernel);

    // The same for a cooperative launch, one part after another, so that launches can take turns.
    // nullptr where none of its blocks is to run.
    std::unique_ptr<CooperativeRun> begin(const Launch& launch,
                                          const std::function<void()>& kernel);

    // While a recorder is set, every access goes to it and blocks run in order on one CPU thread.
    // nullptr ends recording.
    void set_recorder(Recorder* recorder) { recorder_ = recorder; }
    bool is_recording() const { return recorder_ != nullptr; }
    void tell(const LibraryCall& call) const {
        if (recorder_) recorder_->library(call);
    }

    // The sites of all recorded launches; numbers stay valid as long as the executor lives.
    const SiteTable& sites() const { return sites_; }

    // Runs only blocks whose linear index (x fastest) `chosen` accepts: a sample of a launch, whose
    // result is then incomplete. Called in order of the index, by several CPU threads. An empty
    // function: all blocks. A cooperative launch runs whole, since its blocks wait for each other,
    // or, where `chosen` accepts none, not at all. So does each cluster. `others_run`: the others
    // run as well, and only the recorder does not hear of them.
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
