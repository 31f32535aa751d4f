// Bytes and sectors of memory that a launch touches, per block and in total, with reuse distances,
// and the locality between blocks and between launches of a step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/memory/footprint.hpp"

namespace camber {

// Histogram of reuse distances: sectors that a warp reads again, by the number of sectors that it
// has read in between, including the earlier request and excluding the later one, so that the order
// within a request, that of the host's addresses, does not matter. Four bins for each power of two,
// the last one for all larger distances.
using Returns = std::array<std::int64_t, 64>;
// Histogram bin of a distance, at least 1.
std::size_t return_place(std::uint32_t sectors);
// Distance that a histogram bin represents: its midpoint.
double return_distance(std::size_t place);

// How much of a launch's reads (or writes) is distinct. "Per block" figures are summed over the
// blocks: a byte that two blocks touch counts in both.
struct DistinctCounts {
    std::int64_t block_sectors = 0;  // 32-byte sectors, per block
    std::int64_t block_bytes = 0;
    std::int64_t grid_sectors = 0;  // 32-byte sectors, of the whole launch
    std::int64_t grid_bytes = 0;
    Returns returns{};  // of loads from global memory
    // Loads of sectors that another warp of the block loaded last, by the difference between the
    // numbers of sectors that both warps had loaded by then, at least 1. If warps run in lockstep,
    // each warp loads that many sectors between the two loads.
    Returns of_others{};
    bool operator==(const DistinctCounts&) const = default;
};

// Records bytes read and written, block after block. Uses 32 bytes of memory per sector of each
// touched 4-KiB page.
class DistinctSectors {
  public:
    // Call before the first access of every block.
    void begin_block();

    void read(const Footprint& footprint) { touch(footprint, 0); }
    // Records a load by a warp of the current block. All loads of a warp must precede those of the
    // next one.
    void load(const Footprint& footprint, std::uint32_t warp);
    void write(const Footprint& footprint) { touch(footprint, 1); }

    const DistinctCounts& reads() const { return counts_[0]; }
    const DistinctCounts& writes() const { return counts_[1]; }
    // Distinct sectors of the launch that are read, written or both.
    std::int64_t sectors() const { return sectors_; }
    // Aligned pieces of 256 bytes that are read, per block.
    std::int64_t read_pieces() const { return read_pieces_; }
    // Sectors read per block, counted only in 128-byte lines that the block reads completely and
    // that the previous block has read, too.
    std::int64_t read_beside() const { return read_beside_; }
    // Maximum number of blocks that write distinct bytes of the same sector.
    std::uint32_t most_writers() const { return most_writers_; }

    static constexpr int page_shift = 12;
    static constexpr int page_sectors = 1 << (page_shift - 5);
    // Calls visit(number, touched) for every page; touched(place) returns true if that sector of
    // the 4-KiB page was touched.
    template <class Visit>
    void for_each_page(Visit&& visit) const {
        for (const Slot& slot : slots_)
            if (slot.page != nullptr)
                visit(slot.number, [&](std::size_t place) {
                    const Sector& sector = slot.page->sectors[place];
                    return (sector.grid[0] | sector.grid[1]) != 0;
                });
    }

  private:
    // One bit for each byte of a sector; [0] read, [1] written.
    struct Sector {
        std::array<std::uint32_t, 2> grid{};
        std::array<std::uint32_t, 2> block{};  // valid if `stamp` is the current block's
        std::uint32_t stamp = 0;
        std::uint32_t loaded = 0;   // 1 + sectors loaded by the block before its last request for
                                    // this sector
        std::uint32_t of_warp = 0;  // the same, counting only those of its warp
        std::uint32_t writers : 31 = 0;     // number of blocks that have written new bytes
        std::uint32_t read_beside : 1 = 0;  // read by the block before the one of `stamp`
    };
    static constexpr int piece_sectors = 8;
    static constexpr int line_sectors = 4;
    // Sectors of a line that both a block and its predecessor have read.
    struct SharedLine {
        std::uint32_t stamp = 0;
        std::uint32_t sectors = 0;
    };
    struct Page {
        std::array<Sector, page_sectors> sectors;
        std::array<SharedLine, page_sectors / line_sectors> shared{};
        // Last block that read each piece.
        std::array<std::uint32_t, page_sectors / piece_sectors> pieces{};
    };
    struct Slot {
        std::int64_t number = 0;
        Page* page = nullptr;
    };

    void touch(const Footprint& footprint, int kind);
    void touch_sector(Page& page, int place, std::uint32_t bytes, int kind);
    void share_with_block_before(SharedLine& line);
    Page& page(std::int64_t number);
    Slot& slot(std::int64_t number);
    void grow();

    // Open addressing with linear probing; the number of slots is a power of two.
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::vector<std::unique_ptr<Page>> pages_;
    std::uint32_t stamp_ = 0;
    std::uint32_t warp_ = 0;          // warp of the block whose loads are recorded
    std::uint32_t loaded_ = 0;        // sectors loaded by the block, with repetitions
    std::uint32_t before_warp_ = 0;   // before the warp's first load
    std::uint32_t before_loads_ = 0;  // before the current request
    bool loads_ = false;
    std::array<DistinctCounts, 2> counts_;
    std::int64_t sectors_ = 0;
    std::int64_t read_pieces_ = 0;
    std::int64_t read_beside_ = 0;
    std::uint32_t most_writers_ = 0;
};

// Locality of one launch within its step.
struct Locality {
    // Average number of aligned 256-byte pieces that a block reads. Adjacent lines of a piece
    // arrive shortly after each other, those of different pieces independently: on an H200 blocks
    // of 64 x 4 and of 128 x 2 floats, eight pieces each, take equally long, and those of 32 x 8
    // longer (results/experiments/h200-requests/dog.txt).
    double pieces_of_block = 0;
    // Sectors read in complete lines that the adjacent block with the next lower number reads, too.
    // 0 if blocks have no such neighbor.
    std::int64_t read_beside = 0;
    // Distinct sectors of the launch that another launch of the same step touched last: [0] counts
    // the previous launch, [1] the launch before, and so on. No launch of the step has touched the
    // remaining sectors before.
    std::vector<std::int64_t> touched_before;
    // Maximum number of blocks that write different bytes of the same sector.
    std::uint32_t writers_of_sector = 0;
    std::int64_t of_step = 0;  // distinct sectors of the step up to this launch, itself included
};

// Accumulates the launches of a step in their order.
class StepSectors {
  public:
    // Adds a launch of `blocks` blocks, `in_a_row` of them per row of the board; returns its
    // locality.
    Locality add(const DistinctSectors& launch, std::int64_t blocks, std::int64_t in_a_row);

  private:
    using Page = std::array<std::uint32_t, DistinctSectors::page_sectors>;  // 1 + index of the last
                                                                            // launch

    std::unordered_map<std::int64_t, Page> pages_;
    std::uint32_t launches_ = 0;
    std::int64_t sectors_ = 0;
};

}  // namespace camber
