// Which bytes of memory a launch has touched, per block and as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/memory/footprint.hpp"

namespace camber {

// How much of a launch's reads (or writes) is distinct. "Per block" figures are summed over the
// blocks: a byte that two blocks touch counts in both.
struct DistinctCounts {
    std::int64_t block_sectors = 0;  // 32-byte sectors, per block
    std::int64_t block_bytes = 0;
    std::int64_t grid_sectors = 0;  // 32-byte sectors, of the whole launch
    std::int64_t grid_bytes = 0;
    bool operator==(const DistinctCounts&) const = default;
};

// Records bytes read and written, block after block. Memory: 20 bytes per 32 bytes of each 4-KiB
// page touched.
class DistinctSectors {
  public:
    // Call before the first access of every block.
    void begin_block();

    void read(const Footprint& footprint) { touch(footprint, 0); }
    void write(const Footprint& footprint) { touch(footprint, 1); }

    const DistinctCounts& reads() const { return counts_[0]; }
    const DistinctCounts& writes() const { return counts_[1]; }
    // Distinct sectors of the launch that are read, written or both.
    std::int64_t sectors() const { return sectors_; }

  private:
    static constexpr int page_shift = 12;
    static constexpr int page_sectors = 1 << (page_shift - 5);

    // One bit for each byte of a sector; [0] read, [1] written.
    struct Sector {
        std::array<std::uint32_t, 2> grid{};
        std::array<std::uint32_t, 2> block{};  // valid if `stamp` is the current block's
        std::uint32_t stamp = 0;
    };
    using Page = std::array<Sector, page_sectors>;
    struct Slot {
        std::int64_t number = 0;
        Page* page = nullptr;
    };

    void touch(const Footprint& footprint, int kind);
    void touch_sector(Sector& sector, std::uint32_t bytes, int kind);
    Page& page(std::int64_t number);
    Slot& slot(std::int64_t number);
    void grow();

    // Open addressing with linear probing; the number of slots is a power of two.
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::vector<std::unique_ptr<Page>> pages_;
    std::uint32_t stamp_ = 0;
    std::array<DistinctCounts, 2> counts_;
    std::int64_t sectors_ = 0;
};

}  // namespace camber
