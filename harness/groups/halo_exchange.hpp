// Halo exchange between the devices of a group: by copies or by the steps' own kernels, and the
// movement of rows to another device when the division changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/groups/group.hpp"
#include "harness/machine/queue/field_store.hpp"
#include "harness/machine/queue/queue.hpp"
#include "harness/registry/division.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Keeps the rows, or columns, that places hold of their neighbours current.
enum class Side : std::uint8_t { above, below };
inline constexpr Side sides[] = {Side::above, Side::below};
constexpr std::size_t index(Side side) {
    return static_cast<std::size_t>(side);
}

// What a place has of the board. Where columns are divided, "row" below means column, "above" left
// and "below" right.
struct PlaceFields {
    FieldStore* store = nullptr;
    Rows own;           // as the store counts them
    int first_row = 0;  // of the store's row 0, on the board
    // Place above, place below, or ranks of them where each rank has one; -1: the board ends.
    int neighbours[2]{-1, -1};
};

// How places divided the rows of a box of cells at work, from a generation on.
struct RowDivision {
    int generation = 0;
    std::vector<int> rows;  // of each place at work
    int moved_rows = 0;     // that came from another place then
    friend bool operator==(const RowDivision&, const RowDivision&) = default;
};

// From a place to its neighbour on a side, or from there.
enum class Way : std::uint8_t { sent, received };

// What travels where that is no rows of a board: particles of a slice, whose number changes.
struct Parcels {
    // Where what a place sends to a side lies now, or what it gets from there; as many areas of the
    // same bytes at both ends. Empty: rows of fields travel.
    std::function<std::vector<ByteArea>(int place, Side side, Way way)> areas = {};
    std::size_t most_bytes = 0;  // of all areas of a side
};

// What all paths have in common: whose rows, which fields, how many rows.
struct ExchangeContext {
    Group& group;
    std::vector<PlaceFields> places;
    std::vector<std::string> fields;
    int depth = 0;  // rows
    // Whether the memory that a neighbour's rows come to may still be in use when they come.
    bool may_come_early = false;
    bool closed = false;  // a torus: the columns' halo is no constant
    int moved_rows = 0;   // that have changed their place so far
    Partition partition = Partition::rows;
    // Of a box of cells at work: its rows that each place at work has now, and how they were
    // divided so far, at the start first. Empty where no box is divided.
    std::vector<int> box_rows = {};
    std::vector<RowDivision> divisions = {};
    Parcels parcels = {};                        // in the place of `fields`
    BorderBuffers buffers = BorderBuffers::two;  // on paths through the host's memory
};

class HaloExchange {
  public:
    virtual ~HaloExchange() = default;
    // All places hold the initial state, neighbours' rows included; nothing is under way.
    virtual void begin() {}
    // The places have other rows from now on, of fields that lie where they lay. Nothing is under
    // way, and all places hold their neighbours' rows.
    virtual void divide_anew(const std::vector<PlaceFields>& places) = 0;
    // Enqueues on `queue`, on which the place's rows next to that side are complete, and current in
    // its store: their way to the neighbour.
    virtual void send(int place, Side side, Queue& queue) = 0;
    // What `queue` gets from now on finds what the neighbour on that side sent last.
    virtual void receive(int place, Side side, Queue& queue) = 0;
    // What `queue` has got so far is the last that touches the neighbour's rows on that side before
    // those come anew.
    virtual void release(int /*place*/, Side /*side*/, Queue& /*queue*/) {}
};

std::unique_ptr<HaloExchange> make_exchange(ExchangePath path, ExchangeContext context);
// By messages between devices. Throws Unsupported where there are none.
std::unique_ptr<HaloExchange> make_message_exchange(ExchangeContext context);
// Between ranks.
std::unique_ptr<HaloExchange> make_rank_exchange(ExchangeContext context);
// Whether the path never waits on the host, so that work can be recorded with it.
bool is_recordable(ExchangePath path);

// Places whose steps exchange edge rows by their own kernels.
class LinkedPlaces {
  public:
    explicit LinkedPlaces(ExchangeContext context);

    // All places hold the initial state, neighbours' rows included; nothing is under way.
    void begin();
    const Links& of(int place) const { return links_[static_cast<std::size_t>(place)]; }

  private:
    Group& group_;
    std::vector<Memory> counts_;
    std::vector<Links> links_;
};

// Rows that change their place while a group is at work: their state moves with them.

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
