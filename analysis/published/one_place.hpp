// What a published scaling table prints of one unit, and what one GPU takes for the same today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/results/document.hpp"

namespace camber::published {

// The printed entries of one unit; absent where the table has none.
struct PrintedPlace {
    std::optional<Entry> rate;     // kip/s: thousands of particles times iterations in a second
    std::optional<Entry> seconds;  // of a whole run
};
PrintedPlace printed_place(const Table& table);

// A variant's times on one GPU.
struct OnePlace {
    std::string variant;
    std::string origin;             // the file
    int iterations = 0;             // of a sample
    double iteration_ns = 0;        // typical
    double rate = 0;                // kip/s
    std::optional<double> seconds;  // of as many iterations as the printed run took
};

// Those of the table's variants on its board with its parameters, in the order of the variants. Of
// several times of a variant the one whose samples are of the most iterations, then the first.
std::vector<OnePlace> one_place(const Table& table,
                                const std::vector<results::Document>& documents);

}  // namespace camber::published
