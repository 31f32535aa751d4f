// What a step needs to exchange edge rows by its own kernel: its edge blocks wait for the
// neighbours' rows, and store their own ones into the neighbours' memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/machine/queue/field_store.hpp"

namespace camber {

// In the memory of a place, of its sides above and below.
struct LinkCounts {
    std::uint32_t arrived[2];  // how often the neighbour sent its rows; the neighbour counts
    std::uint32_t taken[2];    // how many generations have read such rows
    std::uint32_t done[2];     // blocks of the launch under way that have sent theirs
};

struct LinkSide {
    FieldStore* neighbour = nullptr;    // whose next buffers get the rows; nullptr: the board ends
    int row = 0;                        // of its halo on this side, the first as it counts them
    std::uint32_t* arrivals = nullptr;  // its count of them
};

struct Links {
    LinkSide side[2];
    int depth = 0;                    // rows that go to each side
    std::vector<std::string> fields;  // of which they go
    LinkCounts* counts = nullptr;     // the place's own
};

}  // namespace camber
