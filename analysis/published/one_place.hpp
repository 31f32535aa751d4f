// What a published scaling table prints of one unit, and what one GPU takes for the same today.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/published/table.hpp"
#include "harness/record/document.hpp"

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
    std::int64_t particles = 0;     // the table's own number, or that of a larger problem
    int iterations = 0;             // of a sample
    double iteration_ns = 0;        // typical
    double rate = 0;                // kip/s
    std::optional<double> seconds;  // of the printed run's iterations and particles
};

// Those of the table's variants on its board with its parameters, in the order of the variants, and
// then those on the boards of the larger problems that it names. Of
// several times of a variant the one whose samples are of the most iterations, then the first.
std::vector<OnePlace> one_place(const Table& table,
                                const std::vector<results::Document>& documents);

}  // namespace camber::published
