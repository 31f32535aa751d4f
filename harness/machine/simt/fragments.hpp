// Exchange of matrix fragments within a warp, by which multiply_add()
// (harness/machine/kernel/mma.hpp) runs on the executor: one meeting of the lanes instead of a
// shuffle for each word.
#pragma once

#include <array>
#include <cstdint>
#include <source_location>

namespace camber::simt {

// Words of one lane: rows `group` and `group` + 8 of the first matrix, column `group` of the
// second.
struct Fragment {
    std::uint64_t row = 0;
    std::uint64_t row_8_on = 0;
    std::uint64_t column = 0;
};

// By lane; zeros for lanes that do not exist.
using WarpFragments = std::array<Fragment, 32>;

// Waits until every lane of the warp has arrived, then returns the fragments of all lanes, valid
// until the warp's next exchange.
const WarpFragments& exchange_fragments(const Fragment& own, const std::source_location& site);

}  // namespace camber::simt
