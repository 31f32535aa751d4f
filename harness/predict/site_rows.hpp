// A prediction by call site and kind of access: the table that shows which line is the problem.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/predict/prediction.hpp"

namespace camber {

struct SiteRow {
    int number = 0;  // from 1, in the order of site_rows()
    std::size_t kernel = 0;
    int site = 0;
    Space space = Space::global;
    Operation operation = Operation::load;
    std::int64_t requests = 0;  // where it is served in passes: instructions
    std::int64_t sectors = 0;   // 0 where it is served in passes
    std::int64_t passes = 0;    // over banks, or over addresses of constant memory
    std::int64_t conflicts = 0;
    std::int64_t bytes_moved = 0;  // shared memory: passes over all banks
    std::int64_t bytes_used = 0;   // shared memory: the least passes over all banks
    double share = 0;              // of all bytes that this space moves, over all kernels

    std::int64_t bytes_wasted() const { return bytes_moved - bytes_used; }
    double efficiency() const;   // bytes_used / bytes_moved
    double per_request() const;  // sectors, or passes
};

// "global load", "shared store", ...
std::string kind(const SiteRow& row);

// Most wasted bytes first, then most bytes moved. A pass over the banks of shared memory counts as
// the bytes that all banks deliver: they take the same data path as those of global memory.
std::vector<SiteRow> site_rows(const Prediction& prediction);

}  // namespace camber
