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

// Side of a device's rows, or columns.
enum class Side : std::uint8_t { above, below };
inline constexpr Side sides[] = {Side::above, Side::below};
constexpr std::size_t index(Side side) {
    return static_cast<std::size_t>(side);
}

// A device's share of the board. If columns are divided, "row" means column, "above" left and
// "below" right.
struct PlaceFields {
    FieldStore* store = nullptr;
    Rows own;           // rows in the store's numbering
    int first_row = 0;  // board row of the store's row 0
    // Device above and device below, or their ranks if each rank has one device; -1: edge of the
    // board.
    int neighbours[2]{-1, -1};
};

// Division of the rows of the box of active cells, valid from a generation on.
struct RowDivision {
    int generation = 0;
    std::vector<int> rows;  // of each active device
    int moved_rows = 0;     // that came from another device
    friend bool operator==(const RowDivision&, const RowDivision&) = default;
};

// Direction of a transfer: from a device to its neighbor on a side, or from that neighbor.
enum class Way : std::uint8_t { sent, received };

// Data that is exchanged instead of board rows: particles of a slice, whose number changes.
struct Parcels {
    // Returns the memory areas that a device sends to a side, or into which it receives data from
    // there. Both ends have the same number of areas of the same sizes. Empty: rows of fields are
    // exchanged.
    std::function<std::vector<ByteArea>(int place, Side side, Way way)> areas = {};
    std::size_t most_bytes = 0;  // upper bound for all areas of a side
};

// Data common to all exchange paths: devices and rows, fields, number of exchanged rows.
struct ExchangeContext {
    Group& group;
    std::vector<PlaceFields> places;
    std::vector<std::string> fields;
    int depth = 0;  // rows
    // True if the memory that receives a neighbor's rows may still be in use when they arrive.
    bool may_come_early = false;
    bool closed = false;  // a torus: the left and right halo is not constant
    int moved_rows = 0;   // rows that have moved to another device so far
    Partition partition = Partition::rows;
    // For a box of active cells: its current number of rows on each active device, and all
    // divisions so far, beginning with the first. Empty if no box is divided.
    std::vector<int> box_rows = {};
    std::vector<RowDivision> divisions = {};
    Parcels parcels = {};                        // exchanged instead of `fields`
    BorderBuffers buffers = BorderBuffers::two;  // on paths through host memory
};

// Updates each device's copies of its neighbors' rows or columns.
class HaloExchange {
  public:
    virtual ~HaloExchange() = default;
    // Called when all devices contain the initial state, including copies of neighbor rows, and
    // nothing is in flight.
    virtual void begin() {}
    // Repartitions the rows; field memory does not move. Called when nothing is in flight and all
    // devices have current copies of their neighbors' rows.
    virtual void divide_anew(const std::vector<PlaceFields>& places) = 0;
    // Enqueues the transfer of the device's rows at `side` to the neighbor on `queue`, on which the
    // rows are complete and in the store's current buffer.
    virtual void send(int place, Side side, Queue& queue) = 0;
    // Makes work that is enqueued on `queue` afterwards see the rows that the neighbor on that side
    // sent last.
    virtual void receive(int place, Side side, Queue& queue) = 0;
    // Declares that the work on `queue` so far is the last to access the copies of the neighbor's
    // rows on that side before they are received again.
    virtual void release(int /*place*/, Side /*side*/, Queue& /*queue*/) {}
};

std::unique_ptr<HaloExchange> make_exchange(ExchangePath path, ExchangeContext context);
// Exchange by messages between devices. Throws Unsupported if they are not available.
std::unique_ptr<HaloExchange> make_message_exchange(ExchangeContext context);
// Exchange between ranks.
std::unique_ptr<HaloExchange> make_rank_exchange(ExchangeContext context);
// Returns true if the path never waits on the host, so that work that uses it can be recorded.
bool is_recordable(ExchangePath path);

// Links between devices whose step kernels exchange edge rows themselves.
class LinkedPlaces {
  public:
    explicit LinkedPlaces(ExchangeContext context);

    // Called when all devices contain the initial state, including copies of neighbor rows, and
    // nothing is in flight.
    void begin();
    const Links& of(int place) const { return links_[static_cast<std::size_t>(place)]; }

  private:
    Group& group_;
    std::vector<Memory> counts_;
    std::vector<Links> links_;
};

// Movement of rows, with their state, to other devices during a run

// Present and future rows of the devices, for fields that each device allocates whole.
struct RowMovement {
    std::vector<PlaceFields> places;  // with their present rows
    std::vector<Rows> stripes;        // their future rows
    std::vector<std::string> fields;  // that move with the rows
    int halo = 0;                     // rows of each neighbor that a device stores
    bool closed = false;              // a torus
    int board_rows = 0;
};

// Copies to every device its future rows and the rows around them, from the devices that have them
// now. Nothing may be in flight on any queue; `queue` does the work.
void move_rows(const RowMovement& movement, Queue& queue);

// Number of rows that move to another device.
int moved_rows(const RowMovement& movement);

using RowMover = std::function<void(const RowMovement&, Queue&)>;

}  // namespace camber
