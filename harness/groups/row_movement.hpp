// Rows that change their place while a group is at work: their state moves with them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/groups/halo_exchange.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// Which rows the places have, and will have, of fields that each of them allocates whole.
struct RowMovement {
    std::vector<PlaceFields> places;  // with the rows that they have
    std::vector<Rows> stripes;        // that they will have
    std::vector<std::string> fields;  // that go along
    int halo = 0;                     // rows of each neighbour that a place holds
    bool closed = false;              // a torus
    int board_rows = 0;
};

// Gives every place the rows that it will have, and those around them, from the place that has them
// now. Nothing is under way on any queue; `queue` does the work.
void move_rows(const RowMovement& movement, Queue& queue);

// Rows that get another place.
int moved_rows(const RowMovement& movement);

using RowMover = std::function<void(const RowMovement&, Queue&)>;

}  // namespace camber
