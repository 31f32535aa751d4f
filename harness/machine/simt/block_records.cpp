// Reports of a block's threads to the recorder: memory accesses with their visit numbers, and bulk
// copies with the barriers that complete them.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

std::uint64_t BlockRunner::next_turn(ThreadState& self) {
    const VisitTree::Visit turn = visit(self, VisitKind::turn, std::source_location::current());
    return joined_hash(joined_hash(self.turn, self.path), turn.count);
}

inline void BlockRunner::tell(const ThreadState& self, const void* address, std::size_t size,
                              Operation operation, Space space, const std::source_location& site,
                              SiteId number, const Field* field, std::uint32_t occurrence) {
    if (size > 16 || size == 0 || (size & (size - 1)) != 0)
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
    recorder_->record({.site = number,
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
                       .rounds = self.rounds,
                       .owner = owner});
}

void BlockRunner::record(ThreadState& self, const void* address, std::size_t size,
                         Operation operation, Space space, const std::source_location& site,
                         const Field* field) {
    const VisitTree::Visit made = visit(self, visit_kind(operation), site);
    tell(self, address, size, operation, space, site, made.site, field, made.count);
}

void BlockRunner::record_visit(ThreadState& self, const void* address, std::size_t size,
                               Operation operation, Space space, const std::source_location& site,
                               const Field* field, std::uint32_t occurrence) {
    tell(self, address, size, operation, space, site, sites_.number(self.path, site), field,
         occurrence);
}

SiteId BlockRunner::path_through(ThreadState& self, const std::source_location& site) {
    return visit(self, VisitKind::path, site).site;
}

void BlockRunner::skip_visit(ThreadState& self, const std::source_location& site) {
    visit(self, VisitKind::skip, site);
}

// Reports events of asynchronous bulk copies and their barriers.
void BlockRunner::tell_of_copy(const ThreadState& self, CopyEvent::Kind kind, const void* barrier,
                               std::uint64_t phase, const std::source_location& site,
                               const void* to, std::size_t bytes) {
    if (!recorder_) return;
    const auto offset = [this](const void* address) {
        return static_cast<std::uint32_t>(static_cast<const std::byte*>(address) - shared_.get());
    };
    recorder_->copy({.kind = kind,
                     .site = sites_.number(self.path, site),
                     .copy_barrier = offset(barrier),
                     .phase = phase,
                     .offset = to ? offset(to) : 0,
                     .size = static_cast<std::uint32_t>(bytes),
                     .block = self.block,
                     .thread = self.linear,
                     .barrier = self.barriers,
                     .warp_sync = self.warp_syncs,
                     .cluster_barrier = self.cluster_barriers});
}

void BlockRunner::check_barrier_of_copies(const void* barrier,
                                          const std::source_location& site) const {
    if (!copies_.knows(barrier))
        fault(FaultKind::bulk_copy, "uses a barrier of copies that no thread has initialised",
              site);
}

void BlockRunner::make_copy_barrier(ThreadState& self, const void* barrier, unsigned arrivals,
                                    const std::source_location& site) {
    copies_.make(barrier, arrivals);
    tell_of_copy(self, CopyEvent::Kind::made, barrier, 0, site);
}

void BlockRunner::expect_copies(ThreadState& self, const void* barrier, std::size_t bytes,
                                const std::source_location& site) {
    check_barrier_of_copies(barrier, site);
    tell_of_copy(self, CopyEvent::Kind::used, barrier, copies_.phase(barrier), site);
    const std::string wrong = copies_.expect(barrier, bytes);
    if (!wrong.empty()) fault(FaultKind::bulk_copy, wrong, site);
}

void BlockRunner::begin_bulk_copy(ThreadState& self, void* to, const void* recorded_to,
                                  const CopySource& from, std::size_t bytes, const void* barrier,
                                  const std::source_location& site) {
    check_barrier_of_copies(barrier, site);
    const auto* const source = static_cast<const std::byte*>(from.from);
    const std::string wrong =
        copies_.begin(barrier, {static_cast<std::byte*>(to), source, bytes, self.linear, site});
    if (!wrong.empty()) fault(FaultKind::misaligned, wrong, site);
    if (!recorder_) return;
    tell_of_copy(self, CopyEvent::Kind::begun, barrier, copies_.phase(barrier), site, recorded_to,
                 bytes);
    // Recorded as loads of 16 bytes by each lane of the thread's warp, 512 bytes at a time.
    constexpr std::uint32_t piece = 16;
    VisitTree::Visit made;
    for (std::uint32_t i = 0; i * piece < bytes; ++i) {
        if (i % 32 == 0) made = visit(self, VisitKind::load, site);
        recorder_->record({.site = made.site,
                           .occurrence = made.count,
                           .address = source + i * piece,
                           .field = from.field,
                           .size = piece,
                           .operation = Operation::load,
                           .space = Space::bulk,
                           .block = self.block,
                           .thread = self.linear / 32 * 32 + i % 32,
                           .barrier = self.barriers,
                           .warp_sync = self.warp_syncs,
                           .cluster_barrier = self.cluster_barriers,
                           .owner = rank_});
    }
}

void BlockRunner::await_copies(ThreadState& self, const void* barrier, unsigned parity,
                               const std::source_location& site) {
    check_barrier_of_copies(barrier, site);
    const std::uint64_t now = copies_.phase(barrier);
    tell_of_copy(self, CopyEvent::Kind::used, barrier, now, site);
    // The parity selects the current phase or the previous one.
    const bool comes = now % 2 == parity % 2;
    if (!copies_.has_completed(barrier, parity)) {
        self.status = ThreadState::Status::at_copies;
        self.site = site;
        self.copy_barrier = barrier;
        self.parity = parity;
        wait(self);
    }
    if (comes || now > 0)
        tell_of_copy(self, CopyEvent::Kind::awaited, barrier, comes ? now : now - 1, site);
}

std::uint64_t BlockRunner::arrive_at(ThreadState& self, const void* barrier, unsigned arrivals,
                                     std::size_t bytes, const std::source_location& site) {
    expect_copies(self, barrier, bytes, site);
    for (unsigned k = 1; k < arrivals; ++k) expect_copies(self, barrier, 0, site);
    return copies_.phase(barrier);
}

void BlockRunner::await_phase(ThreadState& self, const void* barrier, std::uint64_t phase,
                              bool orders, const std::source_location& site) {
    const std::uint64_t now = phase_of(barrier, site);
    await_copies(self, barrier, static_cast<unsigned>(phase == now ? now : now + 1) % 2, site);
    if (!orders) return;
    std::erase_if(passed_phases_, [&](const PassedPhase& one) {
        return one.barrier == barrier && one.phase + 1 < phase;
    });
    auto passed = std::ranges::find_if(passed_phases_, [&](const PassedPhase& one) {
        return one.barrier == barrier && one.phase == phase;
    });
    if (passed == passed_phases_.end()) {
        const std::uint32_t most =
            std::ranges::max_element(threads_, {}, &ThreadState::barriers)->barriers;
        passed_phases_.push_back({barrier, phase, most + 1});
        passed = std::prev(passed_phases_.end());
    }
    self.barriers = std::max(self.barriers, passed->barriers);
}

std::uint64_t BlockRunner::phase_of(const void* barrier, const std::source_location& site) const {
    check_barrier_of_copies(barrier, site);
    return copies_.phase(barrier);
}

bool BlockRunner::copies_have_come(const ThreadState& state) {
    return state.status == ThreadState::Status::at_copies &&
           copies_.has_completed(state.copy_barrier, state.parity);
}

void BlockRunner::check_nothing_under_way() {
    const BulkCopies::Copy* const copy = copies_.under_way();
    if (!copy) return;
    current = &threads_[copy->thread];
    fault(FaultKind::bulk_copy,
          fmt::format("has begun a bulk copy of {} bytes for which nobody has waited when the "
                      "block ends",
                      copy->bytes),
          copy->site);
}

}  // namespace camber::simt
