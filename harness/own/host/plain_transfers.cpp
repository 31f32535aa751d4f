// Memory operations of a candidate kernel other than plain loads and stores: texture fetches,
// asynchronous copies, and the barriers in shared memory that copies complete at.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "harness/base/poison.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/shared_barriers.hpp"
#include "harness/machine/simt/thread.hpp"
#include "harness/own/host/plain_launch.hpp"

namespace camber {

namespace {

using simt::FaultKind;
using simt::Operation;

}  // namespace

// A pitched texture yields 0 beyond the board and reads no memory there; `row` -1 means that
// `column` is an element index in linear memory.
void PlainLaunch::fetch(const PlainTexture& texture, long row, long column, std::size_t size,
                        void* value, void* pc) {
    const Layout& layout = texture.field.layout;
    const bool linear = texture.shape == TextureShape::linear;
    if (linear) {
        row = column / layout.pitch;
        column %= layout.pitch;
    }
    const bool inside = row >= 0 && row < layout.rows && column >= 0 && column < layout.columns;
    if (size != static_cast<std::size_t>(texture.field.element_size))
        simt::report_fault(FaultKind::out_of_bounds,
                           fmt::format("fetches {} bytes of a texture whose elements have {}", size,
                                       texture.field.element_size),
                           place(pc));
    if (!inside) {
        if (linear)
            simt::report_outside_grid(texture.field.name.c_str(), static_cast<int>(row),
                                      static_cast<int>(column), layout, place(pc));
        std::memset(value, 0, size);
        return;
    }
    const auto* const cell = static_cast<const std::byte*>(texture.field.base) +
                             (row * layout.pitch + column) * static_cast<long>(size);
    std::memcpy(value, cell, size);
    if (!simt::current->recording) return;
    Target target = target_of(reinterpret_cast<std::uintptr_t>(cell), size, pc);
    target.space = simt::Space::texture;
    record(target, size, Operation::load, pc, 0);
}

PlainLaunch::PendingCopies& PlainLaunch::pending_copies() {
    // By thread of the block that this CPU thread runs.
    static thread_local std::vector<PendingCopies> copies;
    static thread_local std::uint64_t epoch = 0;
    static thread_local const PlainLaunch* launch = nullptr;
    if (epoch != simt::current->block_epoch || launch != this) {
        copies.clear();
        epoch = simt::current->block_epoch;
        launch = this;
    }
    const std::uint32_t thread = simt::linear_thread();
    if (thread >= copies.size()) copies.resize(simt::current->block_size.count());
    if (copies[thread].empty()) copies[thread].emplace_back();
    return copies[thread];
}

void PlainLaunch::copy_async(void* to, const void* from, std::size_t size, std::size_t zeros,
                             void* pc) {
    if ((size != 4 && size != 8 && size != 16) || zeros > size)
        simt::report_fault(
            FaultKind::bulk_copy,
            fmt::format("copies {} bytes asynchronously, and a copy has 4, 8 or 16", size),
            place(pc));
    PendingCopy copy{static_cast<std::byte*>(to), std::vector<std::byte>(size)};
    if (zeros == 0)
        access(from, size, Operation::load, pc, 0);
    else
        for (std::size_t at = 0; at + 4 <= size - zeros; at += 4)
            access(static_cast<const std::byte*>(from) + at, 4, Operation::load, pc,
                   static_cast<unsigned>(1 + at / 4));
    access(to, size, Operation::store, pc, 0);
    std::memcpy(copy.bytes.data(), from, size - zeros);
    std::memset(to, shared_poison, size);
    pending_copies().back().push_back(std::move(copy));
}

void PlainLaunch::commit_or_wait(int operation, unsigned long pending) {
    auto& batches = pending_copies();
    if (operation == 0) {
        batches.emplace_back();
        return;
    }
    // A wait for all batches does not include copies after the last commit.
    while (batches.size() > pending + 1) {
        for (const auto& copy : batches.front())
            std::memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
        batches.pop_front();
    }
}

const void* PlainLaunch::barrier_at(const void* barrier, void* pc) const {
    const auto offset = offset_in_shared(reinterpret_cast<std::uintptr_t>(barrier));
    if (!offset)
        simt::report_fault(FaultKind::barrier,
                           "uses a cuda::barrier that is not in shared memory, which the executor "
                           "does not support",
                           place(pc));
    return simt::block_shared_memory() + *offset;
}

unsigned long PlainLaunch::barrier(int operation, const void* barrier, unsigned long value,
                                   unsigned long bytes, void* pc) const {
    const void* const at = barrier_at(barrier, pc);
    const std::source_location site = place(pc);
    switch (operation) {
        case 0:
            simt::make_copy_barrier(at, static_cast<unsigned>(value), site);
            return 0;
        case 1:
            return simt::arrive_at(at, static_cast<unsigned>(value), bytes, site);
        case 4:
            return simt::phase_of(at, site);
        default:
            simt::await_phase(at, value, operation == 3, site);
            return 0;
    }
}

void PlainLaunch::bulk_copy(void* to, const void* from, std::size_t size, const void* barrier,
                            void* pc) {
    const auto target = reinterpret_cast<std::uintptr_t>(to);
    const auto source = reinterpret_cast<std::uintptr_t>(from);
    const auto recorded_to = offset_in_shared(target);
    if (!recorded_to)
        simt::report_fault(FaultKind::bulk_copy, "begins a bulk copy to memory that is not shared",
                           place(pc));
    const CodeSymbol* const variable =
        symbol_at(library_.image().thread_local_variables, *recorded_to);
    if (variable != nullptr && *recorded_to + size > variable->address + variable->size)
        simt::report_fault(FaultKind::out_of_bounds,
                           fmt::format("begins a bulk copy of {} bytes beyond the end of `{}`",
                                       size, plain_name(variable->name)),
                           place(pc));
    // Reports accesses outside of the array and of dynamic shared memory.
    const simt::Field* field = nullptr;
    for (std::size_t at = 0; at < size; ++at) {
        field = target_of(source + at, 1, pc).field;
        in_shared(target + at, 1, pc);
    }
    if (field == nullptr)
        simt::report_fault(FaultKind::bulk_copy,
                           "begins a bulk copy from memory that is not global", place(pc));
    simt::begin_bulk_copy(to, simt::block_shared_memory() + *recorded_to, {from, field}, size,
                          barrier_at(barrier, pc), place(pc));
}

}  // namespace camber
