#include "harness/machine/simt/executor.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/block_runner.hpp"
#include "harness/machine/simt/bulk_copies.hpp"
#include "harness/machine/simt/fragments.hpp"
#include "harness/machine/simt/shared_barriers.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

namespace {

ThreadState& running() {
    return static_cast<ThreadState&>(*current);
}

void check(const Launch& launch) {
    const auto reject = [&](const std::string& why) {
        throw KernelFault(FaultKind::launch,
                          fmt::format("{}: cannot be launched: {}", launch.name, why));
    };
    if (launch.block.count() == 0 || launch.grid.count() == 0)
        reject("the grid or the block is empty");
    if (launch.block.count() > block_threads_limit)
        reject(fmt::format("{} threads per block, but {} is the most", launch.block.count(),
                           block_threads_limit));
    const Extent3& block = launch.block;
    if (block.z > block_depth_limit)
        reject(fmt::format("a block of ({},{},{}) threads, but {} is the most in z", block.x,
                           block.y, block.z, block_depth_limit));
    const Extent3& grid = launch.grid;
    if (grid.x > grid_width_limit || grid.y > grid_height_limit || grid.z > grid_height_limit)
        reject(fmt::format("a grid of ({},{},{}) blocks, but {} is the most in x and {} in y and z",
                           grid.x, grid.y, grid.z, grid_width_limit, grid_height_limit));
    if (launch.dynamic_shared > block_shared_limit)
        reject(fmt::format("{} bytes of dynamic shared memory, but {} is the most",
                           launch.dynamic_shared, block_shared_limit));
    const Extent3& cluster = launch.cluster;
    if (cluster.count() == 0 || cluster.count() > cluster_blocks_limit)
        reject(fmt::format("a cluster of {} blocks, but 1 to {} can be one", cluster.count(),
                           cluster_blocks_limit));
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        reject(
            fmt::format("a grid of ({},{},{}) blocks, which is no whole number of clusters of "
                        "({},{},{})",
                        grid.x, grid.y, grid.z, cluster.x, cluster.y, cluster.z));
    if (launch.cooperative && cluster.count() > 1)
        reject(
            "clusters of blocks that all wait for each other: launch them without "
            "`cooperative`");
    if (launch.cooperative && grid.count() * block.count() > cooperative_threads_limit)
        reject(
            fmt::format("{} blocks of {} threads wait for each other, but here at most {} "
                        "threads can, {} such blocks: launch fewer and let each do more",
                        grid.count(), block.count(), cooperative_threads_limit,
                        cooperative_threads_limit / block.count()));
}

// Stacks of all executors of the process, which maps them once: mapping them takes longer than a
// small launch.
const std::shared_ptr<StackPool>& process_stacks() {
    static const auto stacks = std::make_shared<StackPool>();
    return stacks;
}

}  // namespace

Executor::Executor(int cpu_threads)
    : cpu_threads_(cpu_threads > 0 ? cpu_threads : omp_get_num_procs()),
      stacks_(process_stacks()) {}

void Executor::run_cooperative(const Launch& launch, const std::function<void()>& kernel) {
    const auto run = begin_cooperative(launch, kernel);
    while (run && !run->advance())
        if (!run->may_advance()) throw std::logic_error("a block waits for rows that never came");
}

std::unique_ptr<CooperativeRun> Executor::begin_cooperative(const Launch& launch,
                                                            const std::function<void()>& kernel) {
    const std::uint64_t blocks = launch.grid.count();
    if (chosen_block_) {
        bool any = false;
        for (std::uint64_t block = 0; block < blocks; ++block) any = chosen_block_(block) || any;
        if (!any) return nullptr;
    }
    return std::make_unique<CooperativeRun>(launch, kernel, recorder_, sites_, *stacks_);
}

std::unique_ptr<CooperativeRun> Executor::begin(const Launch& launch,
                                                const std::function<void()>& kernel) {
    check(launch);
    return begin_cooperative(launch, kernel);
}

bool Executor::is_any_chosen(const std::vector<Index3>& blocks, const Extent3& grid) const {
    return !chosen_block_ || std::ranges::any_of(blocks, [&](const Index3& block) {
        return chosen_block_(block.x +
                             std::uint64_t{grid.x} * (block.y + std::uint64_t{grid.y} * block.z));
    });
}

void Executor::run(const Launch& launch, const std::function<void()>& kernel) {
    check(launch);
    const std::uint64_t together = launch.cluster.count();
    const std::uint64_t clusters = launch.grid.count() / together;
    const std::uint64_t most_workers =
        std::max<std::uint64_t>(1, cooperative_threads_limit / (launch.block.count() * together));
    const int workers =
        recorder_ ? 1
                  : static_cast<int>(std::min<std::uint64_t>(
                        {static_cast<std::uint64_t>(cpu_threads_), clusters, most_workers}));

    // Clusters (usually of one block) are started in order, and a started one is always finished,
    // so that the lowest faulting one is reached and its fault reported, independent of thread
    // scheduling.
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::exception_ptr first_failure;
    std::uint64_t first_cluster = clusters;

    if (recorder_) recorder_->begin_launch(launch, sites_);
    const CandidateLaunch guarded(launch.name);
    if (launch.cooperative) return run_cooperative(launch, kernel);
    const auto work = [&] {
        report_overflows_of_thread();
        std::uint64_t cluster = clusters;
        try {
            if (together == 1) {
                BlockRunner runner(launch, kernel, recorder_, sites_, *stacks_);
                std::optional<BlockRunner> unheard;
                if (chosen_block_ && others_run_)
                    unheard.emplace(launch, kernel, nullptr, sites_, *stacks_);
                while (!failed && (cluster = next++) < clusters)
                    if (!chosen_block_ || chosen_block_(cluster))
                        runner.run(block_index(cluster, launch.grid));
                    else if (unheard)
                        unheard->run(block_index(cluster, launch.grid));
            } else {
                ClusterRun run(launch, kernel, recorder_, sites_, *stacks_);
                std::optional<ClusterRun> unheard;
                if (chosen_block_ && others_run_)
                    unheard.emplace(launch, kernel, nullptr, sites_, *stacks_);
                while (!failed && (cluster = next++) < clusters) {
                    const auto blocks = blocks_of_cluster(launch, cluster);
                    if (is_any_chosen(blocks, launch.grid))
                        run.run(blocks);
                    else if (unheard)
                        unheard->run(blocks);
                }
            }
        } catch (...) {
            failed = true;
            const std::lock_guard lock(mutex);
            if (!first_failure || cluster < first_cluster) {
                first_failure = std::current_exception();
                first_cluster = cluster;
            }
        }
        current = nullptr;
    };
    {
        // Threads of OpenMP would wait for the next launch in a loop, which takes longer than most.
        std::vector<std::jthread> others;
        for (int i = 1; i < workers; ++i) others.emplace_back(work);
        work();
    }
    if (first_failure) std::rethrow_exception(first_failure);
}

void block_barrier(const std::source_location& site) {
    running().runner->barrier(running(), site);
}

void grid_barrier(const std::source_location& site) {
    running().runner->grid_barrier(running(), site);
}

void cluster_barrier(const std::source_location& site) {
    running().runner->cluster_barrier(running(), site);
}

unsigned cluster_rank() {
    return running().runner->cluster_rank();
}

unsigned cluster_size() {
    return running().runner->cluster_size();
}

void* shared_of_block(const void* variable, unsigned rank, std::size_t size,
                      const std::source_location& site) {
    return running().runner->block_of_cluster(rank, site).allocate_shared(variable, size, site);
}

void* shared_of_block(const void* own, unsigned rank, const std::source_location& site) {
    const std::ptrdiff_t offset =
        static_cast<const std::byte*>(own) - running().runner->shared_memory();
    return running().runner->block_of_cluster(rank, site).shared_memory() + offset;
}

void touch_shared_of_block(unsigned rank, const std::source_location& site) {
    running().runner->touch_distributed(running(), rank, site);
}

void make_copy_barrier(const void* barrier, unsigned arrivals, const std::source_location& site) {
    running().runner->make_copy_barrier(running(), barrier, arrivals, site);
}

void expect_copies(const void* barrier, std::size_t bytes, const std::source_location& site) {
    running().runner->expect_copies(running(), barrier, bytes, site);
}

void await_copies(const void* barrier, unsigned parity, const std::source_location& site) {
    running().runner->await_copies(running(), barrier, parity, site);
}

void begin_bulk_copy(void* to, const CopySource& from, std::size_t bytes, const void* barrier,
                     const std::source_location& site) {
    running().runner->begin_bulk_copy(running(), to, to, from, bytes, barrier, site);
}

void begin_bulk_copy(void* to, const void* recorded_to, const CopySource& from, std::size_t bytes,
                     const void* barrier, const std::source_location& site) {
    running().runner->begin_bulk_copy(running(), to, recorded_to, from, bytes, barrier, site);
}

std::uint64_t arrive_at(const void* barrier, unsigned arrivals, std::size_t bytes,
                        const std::source_location& site) {
    return running().runner->arrive_at(running(), barrier, arrivals, bytes, site);
}

void await_phase(const void* barrier, std::uint64_t phase, bool orders,
                 const std::source_location& site) {
    running().runner->await_phase(running(), barrier, phase, orders, site);
}

std::uint64_t phase_of(const void* barrier, const std::source_location& site) {
    return running().runner->phase_of(barrier, site);
}

std::uint64_t warp_exchange(WarpOperation operation, unsigned mask, std::uint64_t value,
                            int source_lane, const std::source_location& site) {
    return running().runner->collective(running(), operation, mask, value, source_lane, site);
}

const WarpFragments& exchange_fragments(const Fragment& own, const std::source_location& site) {
    return running().runner->exchange_fragments(running(), own, site);
}

unsigned existing_lanes() {
    return running().runner->lanes_of_warp(running().linear / 32);
}

void record(const void* address, std::size_t size, Operation operation, Space space,
            const std::source_location& site, const Field* field) {
    running().runner->record(running(), address, size, operation, space, site, field);
}

void record_visit(const PlainAccess& access, const std::source_location& site) {
    running().runner->record_visit(running(), access.address, access.size, access.operation,
                                   access.space, site, access.field, access.occurrence);
}

void wait_until_counted(const std::uint32_t* count, std::uint32_t least) {
    running().runner->wait_until_counted(running(), count, least);
}

void report_wait(const void* counter, std::uint32_t number) {
    if (Recorder* const recorder = running().runner->recorder()) recorder->waited(counter, number);
}

void report_count(const void* counter, std::uint32_t number) {
    if (Recorder* const recorder = running().runner->recorder()) recorder->counted(counter, number);
}

std::byte* block_shared_memory() {
    return running().runner->shared_memory();
}

std::uint32_t linear_thread() {
    return running().linear;
}

void report_fault(FaultKind kind, const std::string& what, const std::source_location& site) {
    running().runner->fault(kind, what, site);
}

SiteId path_through(const std::source_location& site) {
    return running().runner->path_through(running(), site);
}

std::uint64_t next_turn() {
    return running().runner->next_turn(running());
}

void skip_visit(const std::source_location& site) {
    running().runner->skip_visit(running(), site);
}

void* SharedStorage::allocate(std::size_t size, const std::source_location& site) {
    return running().runner->allocate_shared(this, size, site);
}

void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site) {
    return running().runner->dynamic_shared(offset, size, site);
}

void report_outside_grid(const char* field, int row, int column, const Layout& layout,
                         const std::source_location& site) {
    running().runner->fault(
        FaultKind::out_of_bounds,
        fmt::format("accesses row {}, column {} of field `{}`, which has {} rows, {} columns and "
                    "a halo of {}",
                    row, column, field, layout.rows, layout.columns, layout.halo),
        site);
}

void report_outside_tile(int row, int column, int height, int width,
                         const std::source_location& site) {
    running().runner->fault(
        FaultKind::out_of_bounds,
        fmt::format("accesses row {}, column {} of a shared tile of {} rows and {} columns", row,
                    column, height, width),
        site);
}

void report_misaligned(const volatile void* address, std::size_t size, const char* field,
                       const std::source_location& site) {
    running().runner->fault(
        FaultKind::misaligned,
        fmt::format("accesses {} bytes of field `{}` at an address that is {} bytes past a "
                    "multiple of {}",
                    size, field, reinterpret_cast<std::uintptr_t>(address) % size, size),
        site);
}

}  // namespace camber::simt
