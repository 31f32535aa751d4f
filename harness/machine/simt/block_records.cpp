// Which visit of a site an access is, and what the recorder is told of it.
#include <fmt/format.h>

#include <bit>

#include "harness/machine/simt/block_runner.hpp"

namespace camber::simt {

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
    tell(self, address, size, operation, space, site, number, field,
         count_visit(self, number, operation));
}

void BlockRunner::record_visit(ThreadState& self, const void* address, std::size_t size,
                               Operation operation, Space space, const std::source_location& site,
                               const Field* field, std::uint32_t occurrence) {
    tell(self, address, size, operation, space, site, sites_.number(self.path, site), field,
         occurrence);
}

void BlockRunner::tell(const ThreadState& self, const void* address, std::size_t size,
                       Operation operation, Space space, const std::source_location& site,
                       SiteId number, const Field* field, std::uint32_t occurrence) {
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

SiteId BlockRunner::path_through(const ThreadState& self, const std::source_location& site) {
    return sites_.number(self.path, site);
}

// Whatever the other lanes do there.
void BlockRunner::skip_visit(ThreadState& self, const std::source_location& site) {
    const SiteId number = sites_.number(self.path, site);
    for (const Operation operation : {Operation::load, Operation::store, Operation::atomic})
        count_visit(self, number, operation);
}

}  // namespace camber::simt
