#include "harness/machine/simt/block_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/poison.hpp"

namespace camber::simt {

namespace {

constexpr std::size_t shared_alignment = 128;  // one row of banks

thread_local std::uint64_t last_epoch = 0;

// Compares contents, too, since an inline function that is compiled in several files has a copy of
// its file name in each.
bool same_file(const char* a, const char* b) {
    return a == b || std::strcmp(a, b) == 0;
}

// Returns true if the count that the thread waits for has been reached.
bool has_come(const ThreadState& state) {
    if (state.status != ThreadState::Status::at_count) return false;
    const std::atomic_ref<std::uint32_t> count(*const_cast<std::uint32_t*>(state.count));
    return static_cast<std::int32_t>(count - state.least) >= 0;
}

std::size_t round_up(std::size_t n) {
    return (n + shared_alignment - 1) / shared_alignment * shared_alignment;
}

}  // namespace

bool same_line(const std::source_location& a, const std::source_location& b) {
    return a.line() == b.line() && same_file(a.file_name(), b.file_name());
}

std::string describe(const std::source_location& site) {
    return fmt::format("{}:{}", std::filesystem::path(site.file_name()).filename().string(),
                       site.line());
}

std::string describe(const Index3& index) {
    return index.z == 0 ? fmt::format("({},{})", index.x, index.y)
                        : fmt::format("({},{},{})", index.x, index.y, index.z);
}

Index3 block_index(std::uint64_t linear, const Extent3& grid) {
    return {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
            static_cast<unsigned>(linear / grid.x / grid.y)};
}

BlockRunner::BlockRunner(const Launch& launch, const std::function<void()>& kernel,
                         Recorder* recorder, SiteTable& sites, StackPool& stacks)
    : launch_(launch),
      kernel_(kernel),
      recorder_(recorder),
      sites_(sites),
      threads_(launch.block.count()),
      pending_((threads_.size() + 31) / 32),
      shared_(std::make_unique_for_overwrite<std::byte[]>(block_shared_limit)) {
    std::uint32_t linear = 0;
    for (unsigned z = 0; z < launch.block.z; ++z)
        for (unsigned y = 0; y < launch.block.y; ++y)
            for (unsigned x = 0; x < launch.block.x; ++x) {
                ThreadState& state = threads_[linear];
                state.thread = {x, y, z};
                state.block_size = launch.block;
                state.grid_size = launch.grid;
                state.recording = recorder != nullptr;
                state.runner = this;
                state.linear = linear++;
                state.fibre.emplace(stacks, [this, &state] { thread_main(state); });
            }
}

// A thread that has returned rests in thread_main(), where nothing is left to unwind.
BlockRunner::~BlockRunner() {
    for (ThreadState& state : threads_)
        if (state.status == ThreadState::Status::returned) state.fibre->abandon();
}

// One fiber runs its thread index in block after block. Ending each fiber of each launch by an
// exception took a tenth of the time of small boards.
void BlockRunner::thread_main(ThreadState& self) {
    do {
        try {
            kernel_();
        } catch (const Fibre::Cancelled&) {
            throw;
        } catch (...) {
            failure_ = std::current_exception();
        }
        self.status = ThreadState::Status::returned;
    } while (rest(self));
}

ThreadState* BlockRunner::next_ready(std::size_t first) {
    for (ThreadState& state : std::span(threads_).subspan(first)) {
        if (state.status == ThreadState::Status::ready) return &state;
        if (has_come(state) || copies_have_come(state)) {
            state.status = ThreadState::Status::ready;
            return &state;
        }
    }
    return nullptr;
}

bool BlockRunner::rest(ThreadState& self) {
    ThreadState* const next = failure_ ? nullptr : next_ready(self.linear + std::size_t{1});
    if (!next) return self.fibre->rest();
    current = next;
    return self.fibre->pass_to(*next->fibre);
}

void BlockRunner::run(const Index3& block) {
    start(block);
    advance();
}

void BlockRunner::start(const Index3& block) {
    ++last_epoch;
    if (recorder_) visits_.begin_epoch(threads_);
    variables_.clear();
    copies_.clear();
    passed_phases_.clear();
    touch_.reset();
    waits_ = false;
    shared_used_ = round_up(launch_.dynamic_shared);
    std::memset(shared_.get(), shared_poison, launch_.dynamic_shared);
    for (ThreadState& state : threads_) {
        state.block = block;
        state.block_epoch = last_epoch;
        state.status = ThreadState::Status::ready;
        state.barriers = 0;
        state.cluster_barriers = 0;
        state.warp_syncs = 0;
        state.path = no_site;
        state.turn = 0;
        state.rounds = 0;
    }
}

BlockRunner::Progress BlockRunner::advance() {
    report_block();
    for (;;) {
        bool progress = false;
        for (ThreadState* next = next_ready(0); next;) {
            current = next;
            next->fibre->resume();
            if (failure_) std::rethrow_exception(failure_);
            progress = true;
            // The thread that ran last: see rest().
            next = next_ready(static_cast<ThreadState*>(current)->linear + std::size_t{1});
        }
        if (std::ranges::all_of(threads_, [](const ThreadState& state) {
                return state.status == ThreadState::Status::returned;
            })) {
            check_nothing_under_way();
            if (recorder_ && progress) recorder_->end_block(block());
            return Progress::returned;
        }
        if (progress) continue;
        if (all_wait(ThreadState::Status::at_barrier)) {
            release();
        } else if (all_wait(ThreadState::Status::at_grid_barrier)) {
            waits_ = true;
            if (recorder_) recorder_->end_block(block());
            return Progress::waits;
        } else if (all_wait(ThreadState::Status::at_cluster_barrier)) {
            waits_ = true;
            return Progress::waits;
        } else if (is_kept()) {
            return Progress::kept;
        } else {
            report_stuck();
        }
    }
}

void BlockRunner::release() {
    for (ThreadState& state : threads_) state.status = ThreadState::Status::ready;
    if (!passed_phases_.empty()) {
        const std::uint32_t most =
            std::ranges::max_element(threads_, {}, &ThreadState::barriers)->barriers;
        for (ThreadState& state : threads_) state.barriers = most;
    }
    // Blocks of a cluster keep their visit counts at a barrier, as each block is recorded as a
    // whole.
    if (recorder_ && waits_ && !cluster_) visits_.begin_epoch(threads_);
    waits_ = false;
    touch_.reset();
}

void BlockRunner::wait_until_counted(ThreadState& self, const std::uint32_t* count,
                                     std::uint32_t least) {
    if (!launch_.cooperative) throw std::logic_error("a block waits for rows that never came");
    self.status = ThreadState::Status::at_count;
    self.count = count;
    self.least = least;
    wait(self);
}

bool BlockRunner::is_kept() const {
    return std::ranges::any_of(threads_, [](const ThreadState& state) {
        return state.status == ThreadState::Status::at_count;
    });
}

bool BlockRunner::may_go_on() const {
    return std::ranges::any_of(threads_, has_come);
}

void BlockRunner::fault_of_first(FaultKind kind, const std::string& what) const {
    current = const_cast<ThreadState*>(&threads_.front());
    fault(kind, what, site());
}

void* BlockRunner::allocate_shared(const void* variable, std::size_t size,
                                   const std::source_location& site) {
    for (const auto& [known, memory] : variables_)
        if (known == variable) return memory;
    const std::size_t offset = shared_used_;
    shared_used_ = round_up(offset + size);
    if (offset + size - round_up(launch_.dynamic_shared) > static_shared_limit)
        fault(FaultKind::shared_memory,
              fmt::format("the block's __shared__ variables exceed {} bytes, the most a kernel can "
                          "declare; use dynamic shared memory",
                          static_shared_limit),
              site);
    if (shared_used_ > block_shared_limit)
        fault(FaultKind::shared_memory,
              fmt::format("the block's shared memory exceeds {} bytes", block_shared_limit), site);
    std::memset(shared_.get() + offset, shared_poison, size);
    variables_.emplace_back(variable, shared_.get() + offset);
    return shared_.get() + offset;
}

void* BlockRunner::dynamic_shared(std::size_t offset, std::size_t size,
                                  const std::source_location& site) {
    if (offset > launch_.dynamic_shared || size > launch_.dynamic_shared - offset)
        fault(FaultKind::shared_memory,
              fmt::format("takes {} bytes of dynamic shared memory from byte {} on, but the launch "
                          "gives {}",
                          size, static_cast<std::ptrdiff_t>(offset), launch_.dynamic_shared),
              site);
    return shared_.get() + offset;
}

void BlockRunner::fault(FaultKind kind, const std::string& what,
                        const std::source_location& site) const {
    throw KernelFault(
        kind, fmt::format("{}: block {} thread {}: {} [{}]", launch_.name, describe(current->block),
                          describe(current->thread), what, describe(site)));
}

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
    // Provides a current thread for destructors that run when the kernel functions are cancelled.
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

CooperativeRun::CooperativeRun(const Launch& launch, const std::function<void()>& kernel,
                               Recorder* recorder, SiteTable& sites, StackPool& stacks)
    : launch_(launch), kernel_(kernel), recorder_(recorder) {
    for (std::uint64_t block = 0; block < launch_.grid.count(); ++block) {
        runners_.push_back(
            std::make_unique<BlockRunner>(launch_, kernel_, recorder_, sites, stacks));
        runners_.back()->start(block_index(block, launch_.grid));
    }
}

CooperativeRun::~CooperativeRun() {
    // Provides a current thread for destructors that run when the kernel functions are cancelled.
    ThreadState ended;
    current = &ended;
    runners_.clear();
    current = nullptr;
}

bool CooperativeRun::advance() {
    const CandidateLaunch guarded(launch_.name);
    struct Release {
        ~Release() { current = nullptr; }
    } release;
    std::size_t returned = 0;
    bool is_kept = false;
    for (const auto& runner : runners_) {
        const BlockRunner::Progress progress = runner->advance();
        if (progress == BlockRunner::Progress::returned) ++returned;
        if (progress == BlockRunner::Progress::kept) is_kept = true;
    }
    if (is_kept) return false;
    if (returned == runners_.size()) return true;
    pass_barrier(runners_, "grid_barrier()");
    if (recorder_) recorder_->grid_barrier();
    return false;
}

bool CooperativeRun::may_advance() const {
    bool any_kept = false;
    for (const auto& runner : runners_) {
        if (!runner->is_kept()) continue;
        if (runner->may_go_on()) return true;
        any_kept = true;
    }
    return !any_kept;
}

}  // namespace camber::simt
