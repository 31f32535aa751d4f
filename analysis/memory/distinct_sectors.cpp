#include "analysis/memory/distinct_sectors.hpp"

#include <bit>

namespace camber {
namespace {

// Whole sectors are the rule, and x86-64 without extensions has no instruction that counts bits.
int bits(std::uint32_t bytes) {
    return bytes == ~0u ? 32 : std::popcount(bytes);
}

}  // namespace

void DistinctSectors::begin_block() {
    if (++stamp_ != 0) return;
    // After 2^32 blocks a stamp comes round again.
    for (const auto& page : pages_) {
        for (Sector& sector : *page) sector.stamp = 0;
    }
    stamp_ = 1;
}

void DistinctSectors::touch(const Footprint& footprint, int kind) {
    constexpr int page_bytes = 1 << page_shift;
    for (auto [begin, end] : footprint) {
        while (begin < end) {
            Page& sectors = page(begin >> page_shift);
            const int from = static_cast<int>(begin & (page_bytes - 1));
            const int until =
                static_cast<int>(std::min<std::int64_t>(end - begin + from, page_bytes));
            const int first = from / 32;
            const int last = (until - 1) / 32;
            const std::uint32_t head = ~0u << (from % 32);
            const std::uint32_t tail = ~0u >> (31 - (until - 1) % 32);
            if (first == last) {
                touch_sector(sectors[first], head & tail, kind);
            } else {
                touch_sector(sectors[first], head, kind);
                for (int s = first + 1; s < last; ++s) touch_sector(sectors[s], ~0u, kind);
                touch_sector(sectors[last], tail, kind);
            }
            begin += until - from;
        }
    }
}

inline void DistinctSectors::touch_sector(Sector& sector, std::uint32_t bytes, int kind) {
    DistinctCounts& counts = counts_[kind];
    if (sector.stamp != stamp_) {
        sector.stamp = stamp_;
        sector.block = {};
    }
    const std::uint32_t new_to_block = bytes & ~sector.block[kind];
    if (new_to_block == 0) return;
    counts.block_sectors += sector.block[kind] == 0;
    counts.block_bytes += bits(new_to_block);
    sector.block[kind] |= bytes;

    const std::uint32_t new_to_grid = bytes & ~sector.grid[kind];
    if (new_to_grid == 0) return;
    sectors_ += (sector.grid[0] | sector.grid[1]) == 0;
    counts.grid_sectors += sector.grid[kind] == 0;
    counts.grid_bytes += bits(new_to_grid);
    sector.grid[kind] |= bytes;
}

DistinctSectors::Page& DistinctSectors::page(std::int64_t number) {
    Slot* found = &slot(number);
    if (found->page == nullptr) {
        if (2 * (pages_.size() + 1) > slots_.size()) {
            grow();
            found = &slot(number);
        }
        pages_.push_back(std::make_unique<Page>());
        *found = {number, pages_.back().get()};
    }
    return *found->page;
}

DistinctSectors::Slot& DistinctSectors::slot(std::int64_t number) {
    // Multiplicative hashing (Knuth, The Art of Computer Programming, vol. 3, section 6.4).
    const std::uint64_t hash = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u;
    std::size_t i = hash >> (64 - std::countr_zero(slots_.size()));
    while (slots_[i].page != nullptr && slots_[i].number != number) {
        i = (i + 1) & (slots_.size() - 1);
    }
    return slots_[i];
}

void DistinctSectors::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& kept : old) {
        if (kept.page != nullptr) slot(kept.number) = kept;
    }
}

}  // namespace camber
