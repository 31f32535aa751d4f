// One CPU thread's share of a launch: fibers that run one block after another. Blocks of a cluster
// or of a cooperative launch take turns; each runs until all its threads wait or have returned.
#pragma once

#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/bulk_copies.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/machine/simt/fibre.hpp"
#include "harness/machine/simt/fragments.hpp"
#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"
#include "harness/machine/simt/visit_tree.hpp"

namespace camber::simt {

// One CPU thread's share of a launch: a set of fibers that run one block after another. In a
// cluster launch, they run the blocks of one cluster rank; in a cooperative launch, a single block.
class BlockRunner;

struct ThreadState : ThreadContext {
    enum class Status : std::uint8_t {
        ready,
        at_barrier,
        at_grid_barrier,
        at_cluster_barrier,
        at_count,
        at_copies,
        in_collective,
        returned
    };

    VisitTree::Visitor visitor;  // only while recording
    BlockRunner* runner = nullptr;
    std::uint32_t linear = 0;
    Status status = Status::ready;
    std::uint64_t value = 0;  // argument, then result of a warp collective
    int source_lane = 0;
    std::source_location site;             // of the barrier or collective where the thread waits
    std::optional<Fibre> fibre;            // beside these, since a switch reads them, too
    const std::uint32_t* count = nullptr;  // waits until this reaches `least`
    std::uint32_t least = 0;
    const void* copy_barrier = nullptr;  // waits for its phase of `parity`
    unsigned parity = 0;
    std::uint32_t barriers = 0;
    std::uint32_t cluster_barriers = 0;
    const Fragment* fragment = nullptr;  // of a thread in an exchange of fragments
    std::uint32_t warp_syncs = 0;
};

// exchange_fragments(), beside the collectives that kernels call themselves.
inline constexpr WarpOperation fragment_exchange{3};

Index3 block_index(std::uint64_t linear, const Extent3& grid);

class BlockRunner {
  public:
    BlockRunner(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                SiteTable& sites, StackPool& stacks);
    // Cancels threads that have not returned.
    ~BlockRunner();

    // Runs a block of a launch that is not cooperative. This function and the next two rethrow the
    // exception of the first faulting thread; afterwards the runner cannot be used again.
    void run(const Index3& block);

    // Runs a block of a cooperative launch or of a cluster: start(); then advance() to its next
    // barrier of the grid or the cluster, and release(), until it has returned. `kept`: a thread
    // waits for a count.
    enum class Progress { waits, returned, kept };
    void start(const Index3& block);
    Progress advance();
    void release();
    // Returns true if all threads wait at a grid or cluster barrier; otherwise none does.
    bool waits() const { return waits_; }
    const std::source_location& site() const { return threads_.front().site; }
    const Index3& block() const { return threads_.front().block; }
    // is_kept(): a thread of the block waits for a count. may_go_on(): such a count has been
    // reached.
    bool is_kept() const;
    bool may_go_on() const;
    // Throws a fault on behalf of the block's first thread.
    [[noreturn]] void fault_of_first(FaultKind kind, const std::string& what) const;

    void barrier(ThreadState& self, const std::source_location& site);
    void grid_barrier(ThreadState& self, const std::source_location& site);

    // Makes the block a member of a cluster with the blocks of `runners`; a block that never joins
    // one is its own cluster.
    void join_cluster(const std::vector<std::unique_ptr<BlockRunner>>& runners, unsigned rank);
    unsigned cluster_rank() const { return rank_; }
    unsigned cluster_size() const { return cluster_ ? static_cast<unsigned>(cluster_->size()) : 1; }
    void cluster_barrier(ThreadState& self, const std::source_location& site);
    // Block with this rank in the cluster; faults if there is none.
    BlockRunner& block_of_cluster(unsigned rank, const std::source_location& site);
    void touch_distributed(ThreadState& self, unsigned rank, const std::source_location& site);
    // Called when all blocks of the cluster have returned: faults if one of them may have ended
    // while a thread of this block accessed its shared memory.
    void check_distributed_end() const;

    void wait_until_counted(ThreadState& self, const std::uint32_t* count, std::uint32_t least);
    void make_copy_barrier(ThreadState& self, const void* barrier, unsigned arrivals,
                           const std::source_location& site);
    void expect_copies(ThreadState& self, const void* barrier, std::size_t bytes,
                       const std::source_location& site);
    void await_copies(ThreadState& self, const void* barrier, unsigned parity,
                      const std::source_location& site);
    // `recorded_to`: address that the recorder receives for `to`.
    void begin_bulk_copy(ThreadState& self, void* to, const void* recorded_to,
                         const CopySource& from, std::size_t bytes, const void* barrier,
                         const std::source_location& site);
    std::uint64_t arrive_at(ThreadState& self, const void* barrier, unsigned arrivals,
                            std::size_t bytes, const std::source_location& site);
    void await_phase(ThreadState& self, const void* barrier, std::uint64_t phase, bool orders,
                     const std::source_location& site);
    std::uint64_t phase_of(const void* barrier, const std::source_location& site) const;
    std::uint64_t collective(ThreadState& self, WarpOperation operation, unsigned mask,
                             std::uint64_t value, int source_lane,
                             const std::source_location& site);
    const WarpFragments& exchange_fragments(ThreadState& self, const Fragment& own,
                                            const std::source_location& site);
    // Only while recording.
    void record(ThreadState& self, const void* address, std::size_t size, Operation operation,
                Space space, const std::source_location& site, const Field* field);
    // Like record(), with visits counted by the caller: see record_visit() in access.hpp.
    void record_visit(ThreadState& self, const void* address, std::size_t size, Operation operation,
                      Space space, const std::source_location& site, const Field* field,
                      std::uint32_t occurrence);
    Recorder* recorder() const { return recorder_; }  // nullptr: not recording
    std::byte* shared_memory() const { return shared_.get(); }
    SiteId path_through(ThreadState& self, const std::source_location& site);
    std::uint64_t next_turn(ThreadState& self);
    void skip_visit(ThreadState& self, const std::source_location& site);
    unsigned lanes_of_warp(std::size_t warp) const;  // mask of the lanes that exist
    // Allocates the `__shared__` variable `variable`; returns the existing allocation if this block
    // already has one.
    void* allocate_shared(const void* variable, std::size_t size, const std::source_location& site);
    void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site);

    // Throws a KernelFault that names the launch, the block and the running thread.
    [[noreturn]] void fault(FaultKind kind, const std::string& what,
                            const std::source_location& site) const;

  private:
    struct Collective {
        WarpOperation operation;
        unsigned mask;
        unsigned arrived;
    };

    void thread_main(ThreadState& self);
    // First thread from index `first` on that can run, and is then ready; nullptr if there is none.
    ThreadState* next_ready(std::size_t first);
    // Suspends the running thread and continues the next one that can run, without a detour through
    // advance(), whose order it keeps. rest() returns false if the thread is cancelled, and wait()
    // throws Fibre::Cancelled.
    bool rest(ThreadState& self);
    void wait(ThreadState& self) {
        if (!rest(self)) throw Fibre::Cancelled{};
    }
    bool all_wait(ThreadState::Status status) const;
    // Cluster rank of the block whose shared memory contains the address.
    unsigned owner_of(const void* address) const;
    [[noreturn]] void report_stuck() const;
    void finish(std::size_t warp, const Collective& collective);
    bool copies_have_come(const ThreadState& state);
    void check_barrier_of_copies(const void* barrier, const std::source_location& site) const;
    void check_nothing_under_way();
    void tell_of_copy(const ThreadState& self, CopyEvent::Kind kind, const void* barrier,
                      std::uint64_t phase, const std::source_location& site,
                      const void* to = nullptr, std::size_t bytes = 0);
    // Reports an access at a site with a known number to the recorder.
    void tell(const ThreadState& self, const void* address, std::size_t size, Operation operation,
              Space space, const std::source_location& site, SiteId number, const Field* field,
              std::uint32_t occurrence);
    VisitTree::Visit visit(ThreadState& self, VisitKind kind, const std::source_location& site) {
        return visits_.visit(self.visitor, kind, self.path, self.turn, site);
    }

    const Launch& launch_;
    const std::function<void()>& kernel_;
    Recorder* recorder_;
    SiteTable& sites_;
    std::vector<ThreadState> threads_;
    std::vector<std::vector<Collective>> pending_;  // per warp
    std::vector<WarpFragments> fragments_;          // per warp; empty before the first exchange
    std::exception_ptr failure_;
    std::unique_ptr<std::byte[]> shared_;
    std::size_t shared_used_ = 0;
    std::vector<std::pair<const void*, void*>> variables_;  // of the block, with their memory
    VisitTree visits_{sites_};
    BulkCopies copies_;
    // Phases of shared barriers that threads have waited for, with the number of barriers that such
    // a thread has passed.
    struct PassedPhase {
        const void* barrier;
        std::uint64_t phase;
        std::uint32_t barriers;
    };
    std::vector<PassedPhase> passed_phases_;
    bool waits_ = false;
    const std::vector<std::unique_ptr<BlockRunner>>* cluster_ = nullptr;  // by rank
    unsigned rank_ = 0;
    // Last access of a thread to another block's shared memory since the last cluster barrier.
    struct Touch {
        const ThreadState* thread;
        Index3 block;
        std::source_location site;
    };
    std::optional<Touch> touch_;
};

// Releases all blocks from a grid or cluster barrier called `name`, or reports the first block that
// cannot reach it. Call this when each block waits or has returned.
void pass_barrier(const std::vector<std::unique_ptr<BlockRunner>>& runners, const char* name);

// Returns true if both locations are on the same line of the same file.
bool same_line(const std::source_location& a, const std::source_location& b);
std::string describe(const std::source_location& site);
std::string describe(const Index3& index);

// Execution of a launch's clusters, one after another on one CPU thread. The blocks of a cluster
// take turns: each runs until all its threads wait at a cluster barrier or have returned.

// Blocks of cluster number `cluster`, by rank. Clusters are numbered like blocks, x fastest.
std::vector<Index3> blocks_of_cluster(const Launch& launch, std::uint64_t cluster);

class ClusterRun {
  public:
    ClusterRun(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
               SiteTable& sites, StackPool& stacks);
    // Cancels threads that have not returned.
    ~ClusterRun();
    ClusterRun(const ClusterRun&) = delete;
    ClusterRun& operator=(const ClusterRun&) = delete;

    // Rethrows the exception of the first faulting thread; afterwards the object cannot be used
    // again.
    void run(const std::vector<Index3>& blocks);

  private:
    std::vector<std::unique_ptr<BlockRunner>> runners_;  // by rank
};

// A running cooperative launch: its blocks take turns on one CPU thread. Each runs until all its
// threads wait at a grid barrier, or for a count that a block of another launch increments.
class CooperativeRun {
  public:
    CooperativeRun(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                   SiteTable& sites, StackPool& stacks);
    // Cancels threads that have not returned.
    ~CooperativeRun();
    CooperativeRun(const CooperativeRun&) = delete;
    CooperativeRun& operator=(const CooperativeRun&) = delete;

    // Runs all blocks to the next grid barrier, or until they wait for a count. Returns true if all
    // have returned. Rethrows the exception of the first faulting thread.
    bool advance();
    // Returns true if some block can continue. Blocks at a grid barrier can continue once no other
    // block waits for a count.
    bool may_advance() const;

  private:
    Launch launch_;
    std::function<void()> kernel_;
    Recorder* recorder_;
    std::vector<std::unique_ptr<BlockRunner>> runners_;
};

}  // namespace camber::simt
