#include "harness/machine/simt/bulk_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/base/poison.hpp"

namespace camber::simt {

namespace {

constexpr std::size_t unit = 16;

}  // namespace

const BulkCopies::Barrier* BulkCopies::find(const void* barrier) const {
    const auto found = std::ranges::find(barriers_, barrier, &Barrier::address);
    return found == barriers_.end() ? nullptr : &*found;
}

BulkCopies::Barrier* BulkCopies::find(const void* barrier) {
    return const_cast<Barrier*>(std::as_const(*this).find(barrier));
}

bool BulkCopies::knows(const void* barrier) const {
    return find(barrier) != nullptr;
}

std::uint64_t BulkCopies::phase(const void* barrier) const {
    return find(barrier)->phase;
}

void BulkCopies::make(const void* barrier, unsigned arrivals) {
    std::erase_if(barriers_, [&](const Barrier& known) { return known.address == barrier; });
    barriers_.push_back({barrier, arrivals, arrivals, 0, 0, 0, {}});
}

std::string BulkCopies::expect(const void* barrier, std::size_t bytes) {
    Barrier& at = *find(barrier);
    if (at.missing == 0 && !has_completed(barrier, static_cast<unsigned>(at.phase % 2)))
        return fmt::format(
            "arrives at a barrier of copies that {} arrivals complete, once more "
            "than that: wait for the phase first",
            at.arrivals);
    --at.missing;
    at.expected += bytes;
    return "";
}

std::string BulkCopies::begin(const void* barrier, const Copy& copy) {
    const auto past = [](const void* address) {
        return reinterpret_cast<std::uintptr_t>(address) % unit;
    };
    if (copy.bytes == 0 || copy.bytes % unit != 0)
        return fmt::format("begins a bulk copy of {} bytes, which is no multiple of {}", copy.bytes,
                           unit);
    if (past(copy.from) != 0 || past(copy.to) != 0)
        return fmt::format(
            "begins a bulk copy {} an address that is {} bytes past a multiple of "
            "{}",
            past(copy.from) != 0 ? "from" : "to",
            past(copy.from) != 0 ? past(copy.from) : past(copy.to), unit);
    std::memset(copy.to, shared_poison, copy.bytes);
    find(barrier)->copies.push_back(copy);
    return "";
}

bool BulkCopies::has_completed(const void* barrier, unsigned parity) {
    Barrier& at = *find(barrier);
    if (at.phase % 2 != parity % 2) return true;
    if (at.missing > 0) return false;
    for (const Copy& copy : at.copies) {
        std::memcpy(copy.to, copy.from, copy.bytes);
        at.come += copy.bytes;
    }
    at.copies.clear();
    if (at.come != at.expected) return false;
    ++at.phase;
    at.missing = at.arrivals;
    at.expected = at.come = 0;
    return true;
}

std::string BulkCopies::describe(const void* barrier) const {
    const Barrier& at = *find(barrier);
    if (at.expected == 0 && at.come == 0)
        return fmt::format("waits at a barrier that is never complete: {} of {} arrivals have come",
                           at.arrivals - at.missing, at.arrivals);
    return fmt::format(
        "waits for bulk copies that never come: {} of {} arrivals have come, and {} "
        "of {} bytes",
        at.arrivals - at.missing, at.arrivals, at.come, at.expected);
}

const BulkCopies::Copy* BulkCopies::under_way() const {
    for (const Barrier& barrier : barriers_)
        if (!barrier.copies.empty()) return &barrier.copies.front();
    return nullptr;
}

}  // namespace camber::simt
