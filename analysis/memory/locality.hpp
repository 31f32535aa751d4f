// Spatial and temporal locality of a launch's accesses, which its counts do not show.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/memory/distinct_sectors.hpp"

namespace camber {

// Locality of one launch within its step.
struct Locality {
    // Aligned pieces of 256 bytes that a block reads, on average. Neighboring lines of a piece are
    // answered one soon after the other, those of different pieces independently: on an H200 blocks
    // of 64 x 4 and of 128 x 2 floats, eight pieces each, take equally long, and those of 32 x 8
    // longer (results/h200-requests/dog.txt).
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

// The launches of a step, one after another.
class StepSectors {
  public:
    // Returns its locality, of `blocks` blocks, so many of them in a row.
    Locality add(const DistinctSectors& launch, std::int64_t blocks, std::int64_t in_a_row);

  private:
    using Page = std::array<std::uint32_t, DistinctSectors::page_sectors>;  // 1 + the last launch

    std::unordered_map<std::int64_t, Page> pages_;
    std::uint32_t launches_ = 0;
    std::int64_t sectors_ = 0;
};

}  // namespace camber
