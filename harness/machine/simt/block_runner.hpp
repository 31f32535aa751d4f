// One CPU thread's share of a launch: fibres that run one block after another. Blocks of a cluster
// or of a cooperative launch take turns, each until all its threads wait or have returned.
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
#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

// One CPU thread's share of a launch: a set of fibres that run one block after another, of a
// cluster those of one rank, or one block of a cooperative launch.
class BlockRunner;

// How often a thread has done something at a site. A count of an earlier epoch stands for 0, so
// that nothing has to be cleared between blocks, nor at a grid barrier; so does one of another
// turn.
struct VisitCount {
    std::uint32_t epoch = 0;
    std::uint32_t count = 0;
    std::uint64_t turn = 0;
};

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

    BlockRunner* runner = nullptr;
    std::uint32_t linear = 0;
    Status status = Status::ready;
    std::source_location site;             // where it waits
    const std::uint32_t* count = nullptr;  // for which it waits, until it has come to `least`
    std::uint32_t least = 0;
    const void* copy_barrier = nullptr;  // at which it waits for the phase of `parity`
    unsigned parity = 0;
    std::uint32_t barriers = 0;
    std::uint32_t cluster_barriers = 0;
    std::uint64_t value = 0;  // given to, then received from a warp collective
    int source_lane = 0;
    std::uint32_t warp_syncs = 0;
    std::vector<VisitCount> visits;  // by 3 * site + operation; only while recording
    std::optional<Fibre> fibre;
};

Index3 block_index(std::uint64_t linear, const Extent3& grid);

class BlockRunner {
  public:
    BlockRunner(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                SiteTable& sites, StackPool& stacks);

    // Runs a block of a launch that is not cooperative. This and the next two throw what the first
    // faulting thread threw. After a throw the runner cannot be used again.
    void run(const Index3& block);

    // A block of a cooperative launch, or of a cluster: start(), advance() to its next barrier of
    // the grid or the cluster, release(), and so on until it has returned.
    // `kept`: by counts.
    enum class Progress { waits, returned, kept };
    void start(const Index3& block);
    Progress advance();
    void release();
    // Where all its threads wait, or where none does.
    bool waits() const { return waits_; }
    const std::source_location& site() const { return threads_.front().site; }
    const Index3& block() const { return threads_.front().block; }
    // Whether a count keeps one of its threads; and whether such a count has come by now.
    bool is_kept() const;
    bool may_go_on() const;
    // As if a thread of the block threw it.
    [[noreturn]] void fault_of_first(FaultKind kind, const std::string& what) const;

    void barrier(ThreadState& self, const std::source_location& site);
    void grid_barrier(ThreadState& self, const std::source_location& site);

    // Its blocks are those of `runners` from now on; without, a block is a cluster of its own.
    void join_cluster(const std::vector<std::unique_ptr<BlockRunner>>& runners, unsigned rank);
    unsigned cluster_rank() const { return rank_; }
    unsigned cluster_size() const { return cluster_ ? static_cast<unsigned>(cluster_->size()) : 1; }
    void cluster_barrier(ThreadState& self, const std::source_location& site);
    // Of that rank; faults where there is none.
    BlockRunner& block_of_cluster(unsigned rank, const std::source_location& site);
    void touch_distributed(ThreadState& self, unsigned rank, const std::source_location& site);
    // All blocks of the cluster have returned: faults where one of them may have ended while a
    // thread of this one touched its shared memory.
    void check_distributed_end() const;

    void wait_until_counted(ThreadState& self, const std::uint32_t* count, std::uint32_t least);
    void make_copy_barrier(ThreadState& self, const void* barrier, unsigned arrivals,
                           const std::source_location& site);
    void expect_copies(ThreadState& self, const void* barrier, std::size_t bytes,
                       const std::source_location& site);
    void await_copies(ThreadState& self, const void* barrier, unsigned parity,
                      const std::source_location& site);
    void begin_bulk_copy(ThreadState& self, void* to, const CopySource& from, std::size_t bytes,
                         const void* barrier, const std::source_location& site);
    std::uint64_t collective(ThreadState& self, WarpOperation operation, unsigned mask,
                             std::uint64_t value, int source_lane,
                             const std::source_location& site);
    // While recording only.
    void record(ThreadState& self, const void* address, std::size_t size, Operation operation,
                Space space, const std::source_location& site, const Field* field);
    // The same where the caller counts: see record_visit() in plain.hpp.
    void record_visit(ThreadState& self, const void* address, std::size_t size, Operation operation,
                      Space space, const std::source_location& site, const Field* field,
                      std::uint32_t occurrence);
    Recorder* recorder() const { return recorder_; }  // nullptr: nothing is recorded
    std::byte* shared_memory() const { return shared_.get(); }
    SiteId path_through(const ThreadState& self, const std::source_location& site);
    std::uint64_t next_turn(ThreadState& self);
    void skip_visit(ThreadState& self, const std::source_location& site);
    unsigned lanes_of_warp(std::size_t warp) const;  // mask of the lanes that exist
    // Of the `__shared__` variable `variable`: what it took before, if this block runs already.
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
    bool all_wait(ThreadState::Status status) const;
    // Rank of the block of the cluster in whose shared memory this is.
    unsigned owner_of(const void* address) const;
    [[noreturn]] void report_stuck() const;
    void finish(std::size_t warp, const Collective& collective);
    bool copies_have_come(const ThreadState& state);
    void check_barrier_of_copies(const void* barrier, const std::source_location& site) const;
    void check_nothing_under_way();
    void tell_of_copy(const ThreadState& self, CopyEvent::Kind kind, const void* barrier,
                      std::uint64_t phase, const std::source_location& site,
                      const void* to = nullptr, std::size_t bytes = 0);
    // Tells the recorder of an access at a site that has its number.
    void tell(const ThreadState& self, const void* address, std::size_t size, Operation operation,
              Space space, const std::source_location& site, SiteId number, const Field* field,
              std::uint32_t occurrence);
    // How often this was called with the same values in the turn that is open.
    std::uint32_t count_in_turn(ThreadState& self, std::size_t what);
    std::uint32_t count_visit(ThreadState& self, SiteId site, Operation operation);

    const Launch& launch_;
    const std::function<void()>& kernel_;
    Recorder* recorder_;
    SiteTable& sites_;
    std::vector<ThreadState> threads_;
    std::vector<std::vector<Collective>> pending_;  // per warp
    std::exception_ptr failure_;
    std::unique_ptr<std::byte[]> shared_;
    std::size_t shared_used_ = 0;
    std::vector<std::pair<const void*, void*>> variables_;  // of the block, and their memory
    std::uint32_t visit_epoch_ = 0;
    VisitNumbers visits_in_turns_;
    BulkCopies copies_;
    bool waits_ = false;
    const std::vector<std::unique_ptr<BlockRunner>>* cluster_ = nullptr;  // by rank
    unsigned rank_ = 0;
    // The last time since a cluster barrier that a thread touched another block's shared memory.
    struct Touch {
        const ThreadState* thread;
        Index3 block;
        std::source_location site;
    };
    std::optional<Touch> touch_;
};

// Lets the blocks go on from a barrier of the grid or the cluster, which has that name, or reports
// the first that will not come there: to be called when each of them waits or has returned.
void pass_barrier(const std::vector<std::unique_ptr<BlockRunner>>& runners, const char* name);

// The two places are the same line.
bool same_line(const std::source_location& a, const std::source_location& b);
std::string describe(const std::source_location& site);
std::string describe(const Index3& index);

// The clusters of a launch, one after another on one CPU thread. The blocks of a cluster take
// turns: each runs until all its threads wait at a cluster barrier or have returned.

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

// A cooperative launch under way: its blocks take turns on one CPU thread, each until all its
// threads wait at a grid barrier, or for a count that a block of another launch has to raise.
class CooperativeRun {
  public:
    CooperativeRun(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                   SiteTable& sites, StackPool& stacks);
    // Ends threads that have not returned.
    ~CooperativeRun();
    CooperativeRun(const CooperativeRun&) = delete;
    CooperativeRun& operator=(const CooperativeRun&) = delete;

    // Runs the blocks to the next grid barrier, as far as no count keeps them; whether all have
    // returned. Throws what the first faulting thread threw.
    bool advance();
    // Whether some block could go on. Those at a grid barrier can once no count keeps the others.
    bool may_advance() const;

  private:
    Launch launch_;
    std::function<void()> kernel_;
    Recorder* recorder_;
    std::vector<std::unique_ptr<BlockRunner>> runners_;
};

}  // namespace camber::simt
