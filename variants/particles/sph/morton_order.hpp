// Cells along a curve of Morton 1966: the cells around a cell are near in memory in all three
// directions, not along one alone.
#pragma once

#include <algorithm>
#include <bit>

#include "variants/particles/sph/sorted_order.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

struct MortonOrder {
    static constexpr int most_cells = 1024;  // along an axis: three numbers share 32 bits

    template <class R>
    CAMBER_DEVICE static unsigned key(const CellGrid<R>&, const Cell& cell) {
        return spread(cell.x) | spread(cell.z) << 1 | spread(cell.y) << 2;
    }
    template <class R>
    static int bits(const CellGrid<R>& grid) {
        const int longest = std::max({grid.size.x, grid.size.y, grid.size.z});
        return 3 * std::bit_width(static_cast<unsigned>(longest - 1));
    }

  private:
    // Two zeros behind each of the lowest ten bits.
    CAMBER_DEVICE static unsigned spread(int coordinate) {
        unsigned bits = static_cast<unsigned>(coordinate) & 0x3ffu;
        bits = (bits | bits << 16) & 0x030000ffu;
        bits = (bits | bits << 8) & 0x0300f00fu;
        bits = (bits | bits << 4) & 0x030c30c3u;
        bits = (bits | bits << 2) & 0x09249249u;
        return bits;
    }
};

CAMBER_TARGET_END
