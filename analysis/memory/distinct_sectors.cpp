#include "analysis/memory/distinct_sectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>

#include "harness/base/bit_count.hpp"

namespace camber {

std::size_t return_place(std::uint32_t sectors) {
    const int power = std::bit_width(sectors) - 1;
    const auto quarter = (std::uint64_t{sectors} << 2 >> power) & 3;
    return std::min<std::size_t>(4 * power + quarter, Returns().size() - 1);
}

double return_distance(std::size_t place) {
    const double quarter = static_cast<double>(place % 4);
    return std::ldexp(1 + (quarter + 0.5) / 4, static_cast<int>(place / 4));
}

DistinctCounts& DistinctCounts::operator+=(const DistinctCounts& other) {
    block_sectors += other.block_sectors;
    block_bytes += other.block_bytes;
    grid_sectors += other.grid_sectors;
    grid_bytes += other.grid_bytes;
    std::ranges::transform(returns, other.returns, returns.begin(), std::plus());
    std::ranges::transform(of_others, other.of_others, of_others.begin(), std::plus());
    return *this;
}

DistinctSectors::Part DistinctSectors::sum(int board) const {
    Part all;
    for (int part = 0; part < grid_parts; ++part) {
        if (!has_part(board, part)) continue;
        const Part& one = parts_[part];
        for (int kind = 0; kind < 2; ++kind) all.counts[kind] += one.counts[kind];
        all.sectors += one.sectors;
        all.read_pieces += one.read_pieces;
        all.read_beside += one.read_beside;
    }
    return all;
}

void DistinctSectors::begin_block(int part) {
    part_ = part;
    warp_ = loaded_ = before_warp_ = 0;
    if (++stamp_ != 0) return;
    // Stamps wrap around after 2^32 blocks.
    for (const auto& page : pages_) {
        for (Sector& sector : page->sectors) {
            sector.stamp = 0;
            sector.block = {};
        }
        page->pieces = {};
        page->shared = {};
    }
    stamp_ = 1;
}

void DistinctSectors::load(const Footprint& footprint, std::uint32_t warp) {
    if (warp != warp_) {
        warp_ = warp;
        before_warp_ = loaded_;
    }
    before_loads_ = loaded_;
    loads_ = true;
    touch(footprint, 0);
    loads_ = false;
}

void DistinctSectors::touch(const Footprint& footprint, int kind) {
    constexpr int page_bytes = 1 << page_shift;
    for (auto [begin, end] : footprint) {
        while (begin < end) {
            Page& of = page(begin >> page_shift);
            const int from = static_cast<int>(begin & (page_bytes - 1));
            const int until =
                static_cast<int>(std::min<std::int64_t>(end - begin + from, page_bytes));
            const int first = from / 32;
            const int last = (until - 1) / 32;
            const std::uint32_t head = ~0u << (from % 32);
            const std::uint32_t tail = ~0u >> (31 - (until - 1) % 32);
            if (first == last) {
                touch_sector(of, first, head & tail, kind);
            } else {
                touch_sector(of, first, head, kind);
                for (int s = first + 1; s < last; ++s) touch_sector(of, s, ~0u, kind);
                touch_sector(of, last, tail, kind);
            }
            begin += until - from;
        }
    }
}

inline void DistinctSectors::touch_sector(Page& page, int place, std::uint32_t bytes, int kind) {
    Part& part = parts_[part_];
    DistinctCounts& counts = part.counts[kind];
    Sector& sector = page.sectors[place];
    if (sector.stamp != stamp_) {
        sector.read_beside = sector.stamp + 1 == stamp_ && sector.block[0] != 0;
        sector.stamp = stamp_;
        sector.block = {};
        sector.loaded = 0;
    }
    if (loads_ && sector.loaded <= before_loads_) {
        ++loaded_;
        const std::uint32_t now = before_loads_ + 1;
        const std::uint32_t of_warp = before_loads_ - before_warp_;
        if (sector.loaded > before_warp_) {
            ++counts.returns[return_place(now - sector.loaded)];
        } else if (sector.loaded > 0) {
            const auto [earlier, later] = std::minmax(of_warp, sector.of_warp);
            ++counts.of_others[return_place(std::max(1u, later - earlier))];
        }
        sector.loaded = now;
        sector.of_warp = of_warp;
    }
    const std::uint32_t new_to_block = bytes & ~sector.block[kind];
    if (new_to_block == 0) return;
    counts.block_sectors += sector.block[kind] == 0;
    if (kind == 0 && sector.block[kind] == 0 && sector.read_beside != 0)
        share_with_block_before(page.shared[place / line_sectors]);
    if (std::uint32_t& piece = page.pieces[place / piece_sectors]; kind == 0 && piece != stamp_) {
        piece = stamp_;
        ++part.read_pieces;
    }
    counts.block_bytes += bit_count(new_to_block);
    const bool first_of_block = sector.block[kind] == 0;
    sector.block[kind] |= bytes;

    const std::uint32_t new_to_grid = bytes & ~sector.grid[kind];
    if (new_to_grid == 0) return;
    if (kind == 1 && first_of_block) {
        ++sector.writers;
        most_writers_ = std::max<std::uint32_t>(most_writers_, sector.writers);
    }
    if ((sector.grid[0] | sector.grid[1]) == 0) {
        ++part.sectors;
        sector.part = static_cast<std::uint32_t>(part_) & 3;
    }
    counts.grid_sectors += sector.grid[kind] == 0;
    counts.grid_bytes += bit_count(new_to_grid);
    sector.grid[kind] |= bytes;
}

void DistinctSectors::share_with_block_before(SharedLine& line) {
    if (line.stamp != stamp_) line = {stamp_, 0};
    if (++line.sectors == line_sectors) parts_[part_].read_beside += line_sectors;
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

void StepSectors::add(const DistinctSectors& launch) {
    for (auto& before : touched_before_) before.assign(launches_, 0);
    ++launches_;
    launch.for_each_page([&](std::int64_t number, const auto& part_of) {
        Page& page = pages_[number];
        for (std::size_t place = 0; place < page.size(); ++place) {
            const int part = part_of(place);
            if (part == DistinctSectors::untouched) continue;
            if (page[place] == 0)
                ++sectors_[part];
            else
                ++touched_before_[part][launches_ - page[place] - 1];
            page[place] = launches_;
        }
    });
}

Locality StepSectors::last(const DistinctSectors& launch, std::int64_t blocks,
                           std::int64_t in_a_row, int board) const {
    Locality locality;
    std::vector<std::int64_t>& before = locality.touched_before;
    before.resize(launches_ - 1);
    for (int part = 0; part < grid_parts; ++part) {
        if (!has_part(board, part)) continue;
        locality.of_step += sectors_[part];
        std::ranges::transform(before, touched_before_[part], before.begin(), std::plus());
    }
    locality.writers_of_sector = launch.most_writers();
    if (blocks > 0)
        locality.pieces_of_block =
            static_cast<double>(launch.read_pieces(board)) / static_cast<double>(blocks);
    if (in_a_row > 1) locality.read_beside = launch.read_beside(board);
    return locality;
}

}  // namespace camber
