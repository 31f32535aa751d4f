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

// Stores the part of a block's results that belongs to a neighbor's halo into the neighbor's
// memory. Called by all threads of the block.
template <class Rule>
CAMBER_DEVICE void send_rows(const Views<Rule>& views, const Link<Rule>& link,
                             const LinkOfSide<Rule>& side, int block_row, int block_column) {
    const auto larger = [](int a, int b) { return a < b ? b : a; };
    const auto smaller = [](int a, int b) { return a < b ? a : b; };
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

// One block of such a kernel.
template <class Rule>
class LinkedBlock {
  public:
    // Waits for the neighbors' rows if the block reads them.
    CAMBER_DEVICE explicit LinkedBlock(const Link<Rule>& link) : link_(link) {
        const int rows = gridDim.y;
        const int above = link.side[0].block_rows;
        const int below = link.side[1].block_rows;
        row_ = blockIdx.y;
        // Blocks of the upper edge come first, then those of the lower edge, then the middle.
        if (above + below < rows && row_ >= above)
            row_ = row_ < above + below ? row_ + rows - above - below : row_ - below;
        at_edge_[0] = row_ < above;
        at_edge_[1] = row_ >= rows - below;
        if (!at_edge_[0] && !at_edge_[1]) return;
        if (leads())
#pragma unroll
            for (int side = 0; side < 2; ++side)
                if (at_edge_[side]) wait_for(&link.counts->arrived[side], link.counts->taken[side]);
        __syncthreads();
    }

    // Row of blocks in the grid that this block computes.
    CAMBER_DEVICE int row() const {
        return row_;
    }

    // Sends rows that belong to neighbors' halos. Called after the block has stored its own cells.
    CAMBER_DEVICE void send(const Views<Rule>& views) const {
        if (!at_edge_[0] && !at_edge_[1]) return;
        __syncthreads();
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side]) send_rows(views, link_, link_.side[side], row_, blockIdx.x);
        publish();
        __syncthreads();
        if (!leads()) return;
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side] &&
                announce(&link_.counts->done[side], gridDim.x * link_.side[side].block_rows,
                         link_.side[side].arrivals))
                ++link_.counts->taken[side];
    }

  private:
    CAMBER_DEVICE static int thread() {
        return threadIdx.y * blockDim.x + threadIdx.x;
    }
    CAMBER_DEVICE static bool leads() {
        return thread() == 0;
    }

    const Link<Rule>& link_;
    int row_;
    bool at_edge_[2];
};

CAMBER_TARGET_END

// Persistent kernel that exchanges edge rows as in the first part of this file, for many
// generations: as many blocks as the device can run at once take turns over the board, edges first,
// and wait for each other between two generations. Only blocks at the edges wait for neighbors.
//
// Rows that a neighbor sends for the next generation are stored in the buffer that the previous
// generation read. The neighbor sends them after it has received this device's rows of that
// generation, which this device's edge blocks send after reading the buffer. A device is therefore
// at most one generation ahead of its neighbor.
CAMBER_TARGET_BEGIN

// Views for even and for odd generations of a launch.
template <class Rule>
struct Turns {
    Views<Rule> views[2];
    Link<Rule> link[2];
    Region blocks;  // grid of blocks that covers the board; one turn computes one of them
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
class StayingTurn {
  public:
    CAMBER_DEVICE StayingTurn(const Link<Rule>& link, const Region& blocks, int turn)
        : link_(link), columns_(blocks.columns), column_(turn % blocks.columns) {
        const int rows = blocks.rows;
        const int above = link.side[0].block_rows;
        const int below = link.side[1].block_rows;
        row_ = turn / blocks.columns;
        // Blocks of the upper edge come first, then those of the lower edge, then the middle.
        if (above + below < rows && row_ >= above)
            row_ = row_ < above + below ? row_ + rows - above - below : row_ - below;
        at_edge_[0] = row_ < above;
        at_edge_[1] = row_ >= rows - below;
    }

    CAMBER_DEVICE int row() const { return row_; }
    CAMBER_DEVICE int column() const { return column_; }
    // If the turn reads neighbors' rows, waits until they have arrived `times` times.
    CAMBER_DEVICE void receive(const std::uint32_t (&times)[2]) const {
        if (!at_edge_[0] && !at_edge_[1]) return;
        if (leads())
#pragma unroll
            for (int side = 0; side < 2; ++side)
                if (at_edge_[side]) wait_for(&link_.counts->arrived[side], times[side]);
        __syncthreads();
    }
    // Sends rows that belong to neighbors' halos. Called after the turn has stored its own cells.
    CAMBER_DEVICE void send(const Views<Rule>& views) const {
        if (!at_edge_[0] && !at_edge_[1]) return;
        __syncthreads();
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side]) send_rows(views, link_, link_.side[side], row_, column_);
        publish();
        __syncthreads();
        if (!leads()) return;
#pragma unroll
        for (int side = 0; side < 2; ++side)
            if (at_edge_[side])
                announce(&link_.counts->done[side],
                         static_cast<unsigned>(columns_ * link_.side[side].block_rows),
                         link_.side[side].arrivals);
    }
    CAMBER_DEVICE static bool leads() {
        return thread() == 0;
    }

  private:
    CAMBER_DEVICE static int thread() {
        return threadIdx.y * blockDim.x + threadIdx.x;
    }

    const Link<Rule>& link_;
    int columns_;
    int column_;
    int row_;
    bool at_edge_[2];
};

// Computes one generation; compute(views, row, column) computes one block. Views and link number
// `which` remain in constant memory, because `which` is a compile-time constant: if they were chosen
// at run time, both would occupy registers, and fewer blocks would be resident.
template <int which, class Rule, class Compute>
CAMBER_DEVICE void stay_for_one(const Turns<Rule>& turns, int generation, std::uint32_t (&times)[2],
                                const Compute& compute) {
    Views<Rule> views = turns.views[which];
    views.parameters = later<Rule>(turns.views[0].parameters, generation);
    const int all = turns.blocks.columns * turns.blocks.rows;
#pragma unroll 1
    for (int turn = blockIdx.x; turn < all; turn += static_cast<int>(gridDim.x)) {
        const StayingTurn<Rule> own(turns.link[which], turns.blocks, turn);
        own.receive(times);
        compute(views, own.row(), own.column());
        own.send(views);
    }
    ++times[0];
    ++times[1];
    grid_barrier();
}

// Computes all generations of a launch.
template <class Rule, class Compute>
CAMBER_DEVICE void stay(const Turns<Rule>& turns, int generations, const Compute& compute) {
    LinkCounts& counts = *turns.link[0].counts;
    std::uint32_t times[2] = {counts.taken[0], counts.taken[1]};
#pragma unroll 1
    for (int generation = 0; generation < generations; generation += 2) {
        stay_for_one<0>(turns, generation, times, compute);
        if (generation + 1 < generations) stay_for_one<1>(turns, generation + 1, times, compute);
    }
    // All blocks have read the number of arrivals at this point.
    if (blockIdx.x != 0 || !StayingTurn<Rule>::leads()) return;
    counts.taken[0] = times[0];
    counts.taken[1] = times[1];
}

CAMBER_TARGET_END
