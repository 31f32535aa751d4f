// Published registers, occupancy, shared memory and instructions beside those of today's kernels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/record/case_record.hpp"

namespace camber::published {

struct Figure {
    std::string row;
    std::string column;
    std::string variant;
    Entry printed;
    std::string today;               // what stands beside it, in words
    std::optional<double> measured;  // absent where the results do not have it
    std::optional<Size> counted_on;  // the board, of what was counted there
};

// A case of the variant that knows its kernels, and its counters where one does; null without.
using KnownCase = std::function<const results::CaseRecord*(const std::string& variant)>;

// For columns that name a figure:
//   registers          per thread, of the row's kernel
//   occupancy          theoretical, 0 to 1, of the row's kernel
//   shared_bytes       per block, of the row's kernel
//   instructions       that warps execute per generation, on the whole GPU
//   branches           control instructions in the program text of the row's kernel
//   divergence         lanes, of 32, that an executed instruction leaves idle
// Throws Error(usage) for another name.
std::vector<Figure> figures(const Table& table, const KnownCase& known);

}  // namespace camber::published
