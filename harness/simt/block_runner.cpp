#include "harness/simt/block_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <functional>
#include <stdexcept>

namespace camber::simt {

namespace {

constexpr int shared_poison = 0xcb;
constexpr std::size_t shared_alignment = 128;  // one row of banks

thread_local std::uint64_t last_epoch = 0;
thread_local std::uint32_t last_visit_epoch = 0;

// An inline function may be compiled in several files, each with its own copy of a file's name.
bool same_file(const char* a, const char* b) {
    return a == b || std::strcmp(a, b) == 0;
}

// What a thread waits for.
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

// One fibre serves its thread index in block after block.
void BlockRunner::thread_main(ThreadState& self) {
    for (;;) {
        try {
            kernel_();
        } catch (const Fibre::Cancelled&) {
            throw;
        } catch (...) {
            failure_ = std::current_exception();
        }
        self.status = ThreadState::Status::returned;
        self.fibre->suspend();
    }
}

void BlockRunner::run(const Index3& block) {
    start(block);
    advance();
}

void BlockRunner::start(const Index3& block) {
    ++last_epoch;
    visit_epoch_ = ++last_visit_epoch;
    variables_.clear();
    copies_.clear();
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
    }
}

BlockRunner::Progress BlockRunner::advance() {
    for (;;) {
        bool progress = false;
        std::size_t returned = 0;
        for (ThreadState& state : threads_) {
            if (has_come(state) || copies_have_come(state))
                state.status = ThreadState::Status::ready;
            if (state.status == ThreadState::Status::ready) {
                current = &state;
                state.fibre->resume();
                if (failure_) std::rethrow_exception(failure_);
                progress = true;
            }
            if (state.status == ThreadState::Status::returned) ++returned;
        }
        if (returned == threads_.size()) {
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

bool BlockRunner::all_wait(ThreadState::Status status) const {
    for (const ThreadState& state : threads_)
        if (state.status != status || !same_line(state.site, site())) return false;
    return true;
}

void BlockRunner::release() {
    for (ThreadState& state : threads_) state.status = ThreadState::Status::ready;
    // A cluster's blocks go on with their counts: each is told of as a whole.
    if (waits_ && !cluster_) visit_epoch_ = ++last_visit_epoch;
    waits_ = false;
    touch_.reset();
}

// Nothing can run: some thread waits for another that will not come.
void BlockRunner::report_stuck() const {
    using Status = ThreadState::Status;
    const auto find = [this](Status status) -> const ThreadState* {
        for (const ThreadState& state : threads_)
            if (state.status == status) return &state;
        return nullptr;
    };
    if (const ThreadState* thread = find(Status::at_copies)) {
        current = const_cast<ThreadState*>(thread);
        fault(FaultKind::bulk_copy, copies_.describe(thread->copy_barrier), thread->site);
    }
    if (const ThreadState* lane = find(Status::in_collective)) {
        current = const_cast<ThreadState*>(lane);
        const auto& groups = pending_[lane->linear / 32];
        unsigned missing = 0;
        for (const Collective& group : groups)
            if (group.arrived >> (lane->linear % 32) & 1) missing = group.mask & ~group.arrived;
        fault(FaultKind::collective,
              fmt::format("waits in a warp collective for lane {} of its mask, which never arrives",
                          std::countr_zero(missing)),
              lane->site);
    }
    const ThreadState* waiting = find(Status::at_barrier);
    if (!waiting) waiting = find(Status::at_grid_barrier);
    if (!waiting) waiting = find(Status::at_cluster_barrier);
    const char* const name = waiting->status == Status::at_barrier        ? "__syncthreads()"
                             : waiting->status == Status::at_grid_barrier ? "grid_barrier()"
                                                                          : "cluster_barrier()";
    current = const_cast<ThreadState*>(waiting);
    std::size_t arrived = 0;
    for (const ThreadState& state : threads_)
        if (state.status == waiting->status && same_line(state.site, waiting->site)) ++arrived;
    for (const ThreadState& state : threads_) {
        if (state.status == Status::returned)
            fault(FaultKind::barrier,
                  fmt::format("{} was reached by {} of {} threads; thread {} has returned without "
                              "it",
                              name, arrived, threads_.size(), describe(state.thread)),
                  waiting->site);
        if (!same_line(state.site, waiting->site))
            fault(FaultKind::barrier,
                  fmt::format("{} was reached by {} of {} threads; thread {} waits at another one, "
                              "{}",
                              name, arrived, threads_.size(), describe(state.thread),
                              describe(state.site)),
                  waiting->site);
    }
    fault(FaultKind::barrier, "cannot go on", waiting->site);
}

void BlockRunner::barrier(ThreadState& self, const std::source_location& site) {
    self.status = ThreadState::Status::at_barrier;
    self.site = site;
    self.fibre->suspend();
    ++self.barriers;
}

// What it orders in the grid, it orders in the block, too.
void BlockRunner::grid_barrier(ThreadState& self, const std::source_location& site) {
    if (!launch_.cooperative)
        fault(FaultKind::barrier, "comes to a grid_barrier() in a launch that is not cooperative",
              site);
    self.status = ThreadState::Status::at_grid_barrier;
    self.site = site;
    self.fibre->suspend();
    ++self.barriers;
}

void BlockRunner::wait_until_counted(ThreadState& self, const std::uint32_t* count,
                                     std::uint32_t least) {
    if (!launch_.cooperative) throw std::logic_error("a block waits for rows that never came");
    self.status = ThreadState::Status::at_count;
    self.count = count;
    self.least = least;
    self.fibre->suspend();
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

void pass_barrier(const std::vector<std::unique_ptr<BlockRunner>>& runners, const char* name) {
    const BlockRunner* first = nullptr;
    std::size_t arrived = 0;
    for (const auto& runner : runners) {
        if (!runner->waits()) continue;
        if (!first) first = runner.get();
        if (same_line(runner->site(), first->site())) ++arrived;
    }
    for (const auto& runner : runners) {
        if (!runner->waits())
            first->fault_of_first(
                FaultKind::barrier,
                fmt::format("{} was reached by {} of {} blocks; block {} has returned without it",
                            name, arrived, runners.size(), describe(runner->block())));
        if (!same_line(runner->site(), first->site()))
            first->fault_of_first(
                FaultKind::barrier,
                fmt::format("{} was reached by {} of {} blocks; block {} waits at another one, {}",
                            name, arrived, runners.size(), describe(runner->block()),
                            describe(runner->site())));
    }
    for (const auto& runner : runners) runner->release();
}

unsigned BlockRunner::lanes_of_warp(std::size_t warp) const {
    const std::size_t lanes = threads_.size() - 32 * warp;
    return lanes >= 32 ? ~0u : (1u << lanes) - 1;
}

std::uint64_t BlockRunner::collective(ThreadState& self, WarpOperation operation, unsigned mask,
                                      std::uint64_t value, int source_lane,
                                      const std::source_location& site) {
    const std::size_t warp = self.linear / 32;
    const unsigned lane = self.linear % 32;
    mask &= lanes_of_warp(warp);
    if (!(mask >> lane & 1))
        fault(FaultKind::collective, "calls a warp collective whose mask leaves itself out", site);
    self.value = value;
    self.source_lane = source_lane;

    auto& groups = pending_[warp];
    std::size_t g = 0;
    while (g < groups.size() && groups[g].mask != mask) ++g;
    if (g == groups.size()) groups.push_back({operation, mask, 0});
    if (groups[g].operation != operation)
        fault(FaultKind::collective,
              "meets lanes of its mask that are in another kind of warp collective", site);
    groups[g].arrived |= 1u << lane;
    if (groups[g].arrived == mask) {
        finish(warp, groups[g]);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
    } else {
        self.status = ThreadState::Status::in_collective;
        self.site = site;
        self.fibre->suspend();
    }
    return self.value;
}

void BlockRunner::finish(std::size_t warp, const Collective& collective) {
    ThreadState* const lanes = threads_.data() + 32 * warp;
    std::uint64_t before[32] = {};
    unsigned ballot = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (collective.mask >> lane & 1) {
            before[lane] = lanes[lane].value;
            if (before[lane] != 0) ballot |= 1u << lane;
        }
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(collective.mask >> lane & 1)) continue;
        ThreadState& state = lanes[lane];
        if (collective.operation == WarpOperation::shuffle)
            // The value of a lane outside the mask is undefined: here it is 0.
            state.value = before[state.source_lane & 31];
        else if (collective.operation == WarpOperation::ballot)
            state.value = ballot;
        state.status = ThreadState::Status::ready;
        // Only __syncwarp() orders the lanes' memory accesses: shuffles and votes do not (CUDA C++
        // Programming Guide, "Warp Shuffle Functions").
        if (collective.operation == WarpOperation::synchronize &&
            collective.mask == lanes_of_warp(warp))
            ++state.warp_syncs;
    }
}

std::uint32_t BlockRunner::count_in_turn(ThreadState& self, std::size_t what) {
    if (what >= self.visits.size()) self.visits.resize(3 * std::bit_ceil(what / 3 + 1));
    VisitCount& visits = self.visits[what];
    if (visits.epoch != visit_epoch_ || visits.turn != self.turn)
        visits = {visit_epoch_, 0, self.turn};
    return visits.count++;
}

std::uint32_t BlockRunner::count_visit(ThreadState& self, SiteId site, Operation operation) {
    const std::size_t what = 3 * std::size_t{site} + static_cast<std::size_t>(operation);
    const std::uint32_t count = count_in_turn(self, what);
    return self.turn == 0 ? count : visits_in_turns_.number(what, joined_hash(self.turn, count));
}

std::uint64_t BlockRunner::next_turn(ThreadState& self) {
    const std::uint32_t count = count_in_turn(self, 3 * std::size_t{self.path});
    return joined_hash(joined_hash(self.turn, self.path), count);
}

void BlockRunner::record(ThreadState& self, const void* address, std::size_t size,
                         Operation operation, Space space, const std::source_location& site,
                         const Field* field) {
    const SiteId number = sites_.number(self.path, site);
    record_visit(self, address, size, operation, space, site, field,
                 count_visit(self, number, operation));
}

void BlockRunner::record_visit(ThreadState& self, const void* address, std::size_t size,
                               Operation operation, Space space, const std::source_location& site,
                               const Field* field, std::uint32_t occurrence) {
    if (size > 16 || !std::has_single_bit(size))
        fault(FaultKind::misaligned,
              fmt::format("accesses an element of {} bytes, which takes several instructions: a "
                          "trace has accesses of 1, 2, 4, 8 or 16 bytes",
                          size),
              site);
    unsigned owner = rank_;
    if (is_shared(space)) {
        if (space == Space::distributed) owner = owner_of(address);
        const std::byte* const begin =
            owner == rank_ ? shared_.get() : (*cluster_)[owner]->shared_.get();
        address = reinterpret_cast<const void*>(static_cast<const std::byte*>(address) - begin);
    }
    recorder_->record({.site = sites_.number(self.path, site),
                       .occurrence = occurrence,
                       .address = address,
                       .field = field,
                       .size = static_cast<std::uint32_t>(size),
                       .operation = operation,
                       .space = space,
                       .block = self.block,
                       .thread = self.linear,
                       .barrier = self.barriers,
                       .warp_sync = self.warp_syncs,
                       .cluster_barrier = self.cluster_barriers,
                       .owner = owner});
}

SiteId BlockRunner::path_through(const ThreadState& self, const std::source_location& site) {
    return sites_.number(self.path, site);
}

// Whatever the other lanes do there.
void BlockRunner::skip_visit(ThreadState& self, const std::source_location& site) {
    const SiteId number = sites_.number(self.path, site);
    for (const Operation operation : {Operation::load, Operation::store, Operation::atomic})
        count_visit(self, number, operation);
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

}  // namespace camber::simt
