// Where a launch's accesses lie, beyond what its counts tell.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/memory/distinct_sectors.hpp"

namespace camber {

// Of a launch among those of its step.
struct Locality {
    // Aligned pieces of 256 bytes that a block reads, on average. Neighbouring lines of a piece are
    // answered one soon after the other, those of different pieces independently: on an H200 blocks
    // of 64 x 4 and of 128 x 2 floats, eight pieces each, take equally long, and those of 32 x 8
    // longer (results/h200-requests/dog.txt).
    double pieces_of_block = 0;
    // Of the sectors that blocks read, those in whole lines that the block beside it, of the next
    // lower number, reads too. 0 where no blocks are beside each other.
    std::int64_t read_beside = 0;
    // Of the launch's distinct sectors, those that a launch of the same step touched last: the one
    // before at [0], the one before that at [1], and so on. No launch of the step has touched the
    // others before.
    std::vector<std::int64_t> touched_before;
    // Of any sector, the most blocks that write different bytes of it.
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
