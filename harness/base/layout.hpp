// How a two-dimensional field lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/rows.hpp"
#include "harness/base/target.hpp"

namespace camber {

// `rows` x `columns` interior cells, a halo of `halo` cells on every side, and padding such that
// the first interior cell of every row starts at a multiple of `alignment` bytes (halo cells do
// not: the padding of Balasalle 2011, section 5.2.3, generalised to any halo width).
//
//     lead pad | halo rows | halo, interior, halo, row pad | ... | halo rows
//
// All quantities but `alignment` count elements. The allocation's base is taken to be aligned to
// 256 bytes, as cudaMalloc's is.
struct Layout {
    int columns = 0;
    int rows = 0;
    int halo = 0;
    int alignment = 0;  // bytes; the element size means: no padding at all
    int lead = 0;       // elements before the first halo cell
    int pitch = 0;      // elements between vertically adjacent cells

    // Alignment is in bytes and at least the element size; both are powers of two.
    static constexpr Layout make(int columns, int rows, int halo, int alignment, int element_size) {
        const int unit = alignment > element_size ? alignment / element_size : 1;
        const auto round_up = [unit](int n) { return (n + unit - 1) / unit * unit; };
        return {columns,
                rows,
                halo,
                unit * element_size,
                round_up(halo) - halo,
                round_up(columns + 2 * halo)};
    }

    // Index of interior cell (0, 0).
    constexpr std::ptrdiff_t origin() const {
        return lead + halo + static_cast<std::ptrdiff_t>(halo) * pitch;
    }

    // Elements to allocate.
    constexpr std::size_t elements() const {
        return lead + static_cast<std::size_t>(rows + 2 * halo) * pitch;
    }

    // These rows as a board of their own, in the same memory: what lies around them is its halo, as
    // far as there are cells on all sides. The rows may begin and end in the halo.
    constexpr Layout part(Rows of) const {
        const int above = halo + of.first;
        const int below = halo + rows - of.end;
        int least = above < below ? above : below;
        if (halo < least) least = halo;
        Layout part = *this;
        part.rows = of.count();
        part.halo = least;
        part.lead = lead + halo - least;
        return part;
    }
    // Elements from the start of this layout's allocation to that of the part's.
    constexpr std::ptrdiff_t offset_of(Rows of) const {
        return origin() + static_cast<std::ptrdiff_t>(of.first) * pitch - part(of).origin();
    }

    friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace camber
