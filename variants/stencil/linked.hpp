// Kernels that exchange edge rows with the kernels of neighboring devices while they run: one
// launch per generation, or one persistent kernel for many generations.
#pragma once

#include <cstdint>

#include "harness/base/error.hpp"
#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/synchronization.hpp"
#include "harness/registry/execution.hpp"
#include "harness/registry/step.hpp"
#include "variants/stencil/views.hpp"

// Kernel that exchanges edge rows with the kernels of neighboring devices while it runs. Blocks at
// the edges run first, wait for the neighbors' rows of the previous generation, store their own
// rows into the neighbors' memory and increment a counter there, without the host or other kernels.
//
// A waiting block cannot cause a deadlock: it waits for blocks of the neighbor's previous launch,
// which has ended or proceeds independently. Arriving rows belong to the next generation and are
// stored in buffers that this launch does not read.
CAMBER_TARGET_BEGIN

template <class Rule>
struct LinkOfSide {
    typename Rule::Outputs::template Map<OutputGrid> halo;  // neighbor's fields
    int halo_row = 0;    // first halo row for this device's rows, in the neighbor's fields
    int first_row = 0;   // first sent row, in this device's fields
    int block_rows = 0;  // rows of blocks at this edge; 0: the board ends here
    std::uint32_t* arrivals = nullptr;
};

// Kernel argument in addition to the views.
template <class Rule>
struct Link {
    LinkOfSide<Rule> side[2];
    int rows = 0;               // sent to each side
    unsigned sent_outputs = 0;  // one bit per output that is sent
    Region region;              // of a block
    LinkCounts* counts = nullptr;
};

template <class Rule>
using LinkedKernel = void (*)(Views<Rule>, Link<Rule>);

template <class Rule>
struct LinkedChoice {
    LinkedKernel<Rule> overhang = nullptr;  // nullptr: not available
    LinkedKernel<Rule> exact = overhang;
};

// Delays subsequent work of the queue until the neighbors' rows have arrived. Only on the executor,
// whose blocks cannot wait for a launch that has not begun.
inline void put_off([[maybe_unused]] Queue& queue, [[maybe_unused]] const Links& links) {
#if !CAMBER_ON_DEVICE
    static_cast<simt::HostQueue&>(queue).put_off([links] {
        for (int side = 0; side < 2; ++side)
            if (links.side[side].neighbour &&
                !has_come(&links.counts->arrived[side], links.counts->taken[side]))
                return false;
        return true;
    });
#endif
}

CAMBER_DEVICE int smaller(int a, int b) {
    return a < b ? a : b;
}
CAMBER_DEVICE int larger(int a, int b) {
    return a < b ? b : a;
}

// Stores the part of a block's results that belongs to a neighbor's halo into the neighbor's
// memory. Called by all threads of the block.
template <class Rule>
CAMBER_DEVICE void send_rows(const Views<Rule>& views, const Link<Rule>& link,
                             const LinkOfSide<Rule>& side, int block_row, int block_column) {
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int first_row = larger(block_row * link.region.rows, side.first_row);
    const int rows_end = smaller((block_row + 1) * link.region.rows, side.first_row + link.rows);
    const int first_column = block_column * link.region.columns;
    const int columns_end = smaller(first_column + link.region.columns, views.columns);
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        constexpr int output = Rule::Outputs::template index<Tag>;
        if ((link.sent_outputs >> output & 1u) == 0) return;
        const auto& own = get<output>(views.outputs);
        const auto& halo = get<output>(side.halo);
        for (int row = first_row; row < rows_end; ++row)
            for (int column = first_column + thread; column < columns_end;
                 column += static_cast<int>(blockDim.x * blockDim.y)) {
                const typename Tag::Type cell = own(row, column);
                halo(side.halo_row + row - side.first_row, column) = cell;
            }
    });
}

// Adjacent blocks of a row of blocks, which compute in one turn and send what belongs to neighbors'
// halos.
template <class Rule>
class LinkedTurn {
  public:
    CAMBER_DEVICE int row() const { return row_; }
    CAMBER_DEVICE int first_column() const { return first_column_; }
    CAMBER_DEVICE int end_column() const { return first_column_ + columns_; }
    CAMBER_DEVICE static bool leads() { return thread() == 0; }

    // Waits until the rows of the neighbor on `side` have arrived `times` times, if the turn reads
    // them. Called by one thread; a barrier must follow.
    CAMBER_DEVICE void await_neighbour(int side, std::uint32_t times) const {
        if (at_edge_[side]) wait_for(&link_.counts->arrived[side], times);
    }

  protected:
    // `place` among `rows` rows of blocks: those of the upper edge come first, then those of the
    // lower edge, then the middle.
    CAMBER_DEVICE LinkedTurn(const Link<Rule>& link, int rows, int place)
        : link_(link), row_(place) {
        const int above = link.side[0].block_rows;
        const int below = link.side[1].block_rows;
        if (above + below < rows && row_ >= above)
            row_ = row_ < above + below ? row_ + rows - above - below : row_ - below;
        at_edge_[0] = row_ < above;
        at_edge_[1] = row_ >= rows - below;
    }

    CAMBER_DEVICE static int thread() { return threadIdx.y * blockDim.x + threadIdx.x; }
    CAMBER_DEVICE bool is_at_edge() const { return at_edge_[0] || at_edge_[1]; }

    // Called by all threads, after the turn has stored its own cells. The first thread calls
    // sent(side) if this turn is the last of its edge; a row of blocks has `per_row` turns.
    template <class Sent>
    CAMBER_DEVICE void send(const Views<Rule>& views, unsigned per_row, const Sent& sent) const {
        if (!is_at_edge()) return;
        __syncthreads();
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side])
#pragma unroll 1
                for (int column = 0; column < columns_; ++column)
                    send_rows(views, link_, link_.side[side], row_, first_column_ + column);
        publish();
        __syncthreads();
        if (!leads()) return;
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side] &&
                announce(&link_.counts->done[side], per_row * link_.side[side].block_rows,
                         link_.side[side].arrivals))
                sent(side);
    }

    const Link<Rule>& link_;
    int row_;
    int first_column_;
    int columns_;
    bool at_edge_[2];
};

// One block of such a kernel.
template <class Rule>
class LinkedBlock : public LinkedTurn<Rule> {
  public:
    // Waits for the neighbors' rows if the block reads them.
    CAMBER_DEVICE explicit LinkedBlock(const Link<Rule>& link)
        : LinkedTurn<Rule>(link, gridDim.y, blockIdx.y) {
        this->first_column_ = blockIdx.x;
        this->columns_ = 1;
        if (!this->is_at_edge()) return;
        if (this->leads())
#pragma unroll
            for (int side = 0; side < 2; ++side)
                this->await_neighbour(side, link.counts->taken[side]);
        __syncthreads();
    }

    CAMBER_DEVICE void send(const Views<Rule>& views) const {
        LinkedTurn<Rule>::send(views, gridDim.x,
                               [this](int side) { ++this->link_.counts->taken[side]; });
    }
};

CAMBER_TARGET_END

// Persistent kernel that exchanges edge rows as in the first part of this file, for many
// generations: as many blocks as the device can run at once take turns over the board, edges first.
//
// Blocks take numbered turns from a common counter, so that they work on adjacent rows at all
// times, whatever the speed of their SMs. Blocks with a fixed share of the turns took 1.5 times the
// time of one launch per generation (H200, 32768 x 16384 cells). There is no barrier between
// generations: a turn waits until the rows of blocks that it reads have completed the previous
// generation. The same blocks read what the turn overwrites, so they have finished reading, too. A
// waiting turn cannot cause a deadlock, because it depends on lower numbers only, and the lowest
// number that is not complete belongs to a block that is computing it.
//
// Rows that a neighbor sends for the next generation are stored in the buffer that the previous
// generation read. The neighbor sends them after it has received this device's rows of that
// generation, which this device's edge blocks send after reading the buffer. A device's edge is
// therefore at most one generation ahead of its neighbor's.
CAMBER_TARGET_BEGIN

// Views for even and for odd generations of a launch, and the turns of a generation.
template <class Rule>
struct Turns {
    Views<Rule> views[2];
    Link<Rule> link[2];
    Region blocks;  // grid of blocks that covers the board
    int width = 1;  // adjacent blocks of a row that one turn computes
    int reach = 1;  // rows of blocks above and below a block that it reads
    // Counters in the device's memory, never reset: turns that were taken, and turns that are
    // complete in each row of blocks
    std::uint32_t* taken = nullptr;
    std::uint32_t* complete = nullptr;
    // Values when the launch begins
    std::uint32_t first_turn = 0;
    std::uint32_t first_complete = 0;

    CAMBER_HD int per_row() const { return (blocks.columns + width - 1) / width; }
    CAMBER_HD int count() const { return per_row() * blocks.rows; }
};

template <class Rule>
using StayingKernel = void (*)(Turns<Rule>, int);

template <class Rule>
struct StayingChoice {
    StayingKernel<Rule> overhang = nullptr;  // nullptr: not available
    StayingKernel<Rule> exact = overhang;
};

// Throws Unsupported if the executor records accesses: it checks one launch at a time, but these
// kernels take turns.
inline void refuse_to_record([[maybe_unused]] Queue& queue) {
#if !CAMBER_ON_DEVICE
    if (static_cast<simt::HostQueue&>(queue).executor().is_recording())
        throw Unsupported(
            "kernels of several places that stay take turns, and the executor checks one launch at "
            "a time: check --exchange kernel");
#endif
}

// One block's turn in a generation.
template <class Rule>
class StayingTurn : public LinkedTurn<Rule> {
  public:
    CAMBER_DEVICE StayingTurn(const Turns<Rule>& turns, const Link<Rule>& link, int turn)
        : LinkedTurn<Rule>(link, turns.blocks.rows, turn / turns.per_row()), turns_(turns) {
        this->first_column_ = turn % turns.per_row() * turns.width;
        this->columns_ = smaller(turns.width, turns.blocks.columns - this->first_column_);
    }

    // Waits until the previous generation of the launch is complete where this turn reads or
    // overwrites it. Called by all threads of the block; a barrier must follow.
    CAMBER_DEVICE void await_rows(int generation) const {
        if (generation == 0) return;
        int first = this->row_ - turns_.reach;
        int last = this->row_ + turns_.reach;
        // All turns at an edge send a generation before one of them sends the next: announce()
        // counts the turns of one generation.
        if (this->at_edge_[0]) last = larger(last, this->link_.side[0].block_rows - 1);
        if (this->at_edge_[1])
            first = smaller(first, turns_.blocks.rows - this->link_.side[1].block_rows);
        last = smaller(last, turns_.blocks.rows - 1);
        const auto least = turns_.first_complete + static_cast<std::uint32_t>(generation) *
                                                       static_cast<std::uint32_t>(turns_.per_row());
        for (int row = larger(first, 0) + this->thread(); row <= last;
             row += static_cast<int>(blockDim.x * blockDim.y))
            wait_for(&turns_.complete[row], least);
    }
    CAMBER_DEVICE void send(const Views<Rule>& views) const {
        LinkedTurn<Rule>::send(views, turns_.per_row(), [](int) {});
    }
    // Called by one thread, after a barrier that follows the turn's stores.
    CAMBER_DEVICE void complete() const { count_block(&turns_.complete[this->row_]); }

  private:
    const Turns<Rule>& turns_;
};

// Turns that a block takes. Its first thread takes the next turn while the block computes the
// current one, so that the counter's latency is hidden.
template <class Rule>
class TakenTurns {
  public:
    // Generation and turn for the block's threads; counts of arrivals when the launch began.
    using Storage = Tile<int, 2, 2>;

    CAMBER_DEVICE TakenTurns(const Turns<Rule>& turns, int generations, Storage& storage)
        : turns_(turns), generations_(generations), storage_(storage) {
        if (!StayingTurn<Rule>::leads()) return;
#pragma unroll
        for (int side = 0; side < 2; ++side)
            storage_(1, side) = static_cast<int>(turns.link[0].counts->taken[side]);
        // The counts of arrivals are read before the last block can replace them.
        publish();
        take();
        hand_out();
    }

    // Following functions: called by the first thread.
    CAMBER_DEVICE void take() {
        number_ = count_next(turns_.taken);
    }
    // Makes the turn that was taken last available to the block's threads; barriers must separate
    // this call from their uses of the previous turn and of this one.
    CAMBER_DEVICE void hand_out() {
        const std::uint32_t number = number_ - turns_.first_turn;
        const auto count = static_cast<std::uint32_t>(turns_.count());
        const auto generation = static_cast<int>(number / count);
        storage_(0, 0) = generation < generations_ ? generation : -1;
        storage_(0, 1) = static_cast<int>(number % count);
    }
    CAMBER_DEVICE std::uint32_t arrivals(int side, int generation) const {
        return static_cast<std::uint32_t>(storage_(1, side) + generation);
    }
    // Each block takes one number beyond the last turn. The block with the last of them stores the
    // counts of arrivals for the next launch, since all other blocks have read them.
    CAMBER_DEVICE void end() const {
        const std::uint32_t all =
            static_cast<std::uint32_t>(turns_.count()) * static_cast<std::uint32_t>(generations_);
        if (number_ - turns_.first_turn + 1 != all + gridDim.x) return;
#pragma unroll
        for (int side = 0; side < 2; ++side)
            turns_.link[0].counts->taken[side] = arrivals(side, generations_);
    }

    // Following functions: called by all threads.
    CAMBER_DEVICE int generation() const {
        return storage_(0, 0);
    }  // -1: no more turns
    CAMBER_DEVICE int turn() const {
        return storage_(0, 1);
    }

  private:
    const Turns<Rule>& turns_;
    int generations_;
    Storage& storage_;
    std::uint32_t number_ = 0;  // only in the first thread
};

// Computes one turn; compute(views, row, column) computes one block. Views and link number `which`
// remain in constant memory, because `which` is a compile-time constant: if they were chosen at run
// time, both would occupy registers, and fewer blocks would be resident.
template <int which, class Rule, class Compute>
CAMBER_DEVICE void take_turn(const Turns<Rule>& turns, TakenTurns<Rule>& taken, int generation,
                             const Compute& compute) {
    Views<Rule> views = turns.views[which];
    views.parameters = later<Rule>(turns.views[0].parameters, generation);
    const StayingTurn<Rule> own(turns, turns.link[which], taken.turn());
    own.await_rows(generation);
    if (own.leads()) {
#pragma unroll
        for (int side = 0; side < 2; ++side)
            own.await_neighbour(side, taken.arrivals(side, generation));
        taken.take();
    }
    __syncthreads();
#pragma unroll 1
    for (int column = own.first_column(); column < own.end_column(); ++column)
        compute(views, own.row(), column);
    own.send(views);
    if (own.leads()) taken.hand_out();
    __syncthreads();
    if (own.leads()) own.complete();
}

// Computes all generations of a launch.
template <class Rule, class Compute>
CAMBER_DEVICE void stay(const Turns<Rule>& turns, int generations, const Compute& compute) {
    __shared__ typename TakenTurns<Rule>::Storage storage;
    TakenTurns<Rule> taken(turns, generations, storage);
    __syncthreads();
#pragma unroll 1
    for (int generation; (generation = taken.generation()) >= 0;)
        if (generation % 2 == 0)
            take_turn<0>(turns, taken, generation, compute);
        else
            take_turn<1>(turns, taken, generation, compute);
    if (StayingTurn<Rule>::leads()) taken.end();
}

CAMBER_TARGET_END
