// Kernel that exchanges edge rows with the kernels of neighboring devices while it runs. Blocks at
// the edges run first, wait for the neighbors' rows of the previous generation, store their own
// rows into the neighbors' memory and increment a counter there, without the host or other kernels.
//
// A waiting block delays no other block: it waits for blocks of the neighbor's previous launch,
// which has ended or proceeds independently. Arriving rows belong to the next generation and go to
// buffers that this launch does not read.
#pragma once

#include "harness/machine/kernel/arrivals.hpp"
#include "harness/registry/links.hpp"
#include "harness/registry/shape.hpp"
#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

template <class Rule>
struct LinkOfSide {
    typename Rule::Outputs::template Map<OutputGrid> halo;  // of the neighbor
    int halo_row = 0;    // where its rows of this place begin, as its fields count
    int first_row = 0;   // that goes there, as this place's do
    int block_rows = 0;  // of the edge; 0: the board ends there
    std::uint32_t* arrivals = nullptr;
};

// The argument of such a kernel, beside its views.
template <class Rule>
struct Link {
    LinkOfSide<Rule> side[2];
    int rows = 0;               // that go to each side
    unsigned sent_outputs = 0;  // a bit for each that goes
    Region region;              // of a block
    LinkCounts* counts = nullptr;
};

template <class Rule>
using LinkedKernel = void (*)(Views<Rule>, Link<Rule>);

template <class Rule>
struct LinkedChoice {
    LinkedKernel<Rule> overhang = nullptr;  // nullptr: the technique has none
    LinkedKernel<Rule> exact = overhang;
};

// On the executor, where blocks cannot wait for a launch that has not begun: puts off what the
// queue gets next until the neighbors' rows are there.
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

// Stores what a block of a step has of a neighbor's halo there, by all threads of this block.
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

// A block of such a kernel.
template <class Rule>
class LinkedBlock {
  public:
    // Waits where the block reads neighbors' rows.
    CAMBER_DEVICE explicit LinkedBlock(const Link<Rule>& link) : link_(link) {
        const int rows = gridDim.y;
        const int above = link.side[0].block_rows;
        const int below = link.side[1].block_rows;
        row_ = blockIdx.y;
        // The lower edge comes behind the upper one, and then the middle.
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

    // Row of the grid that the block computes.
    CAMBER_DEVICE int row() const {
        return row_;
    }

    // After the block's own cells are stored: sends those that are neighbors' halo.
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
