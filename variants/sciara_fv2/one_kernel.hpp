// one_kernel: all of a step, or of a few steps, in a single launch, for boards that caches hold and
// whose kernels take less time than it takes to launch them. As in cfame, a block computes the
// outflows of a tile and of rings around it into shared memory; it then goes on to cooling and
// frame, and, for further steps, to the emission of the next, while the region that is right
// shrinks by two cells a step. Vents come as a list, and every load of a vent's cell sees what it
// emitted.
//
// Lava covers a small part of the board. A tile sleeps while neither lava nor a vent can reach it
// in the launch: its block copies the tile once, after which both buffers hold it, and from then on
// returns at once. Whoever has lava after a launch wakes the tiles that it may reach in the next.
#pragma once

#include <cstdint>

#include "variants/sciara_fv2/outflows_by_bounds.hpp"
#include "workloads/sciara_fv2/rules.hpp"

CAMBER_TARGET_BEGIN

// The cells of all vents and what they give in the steps of one launch, as a kernel's argument.
struct VentList {
    static constexpr int capacity = 8;
    static constexpr int most_steps = 4;

    int count;
    int row[capacity];
    int column[capacity];
    double thickness[most_steps][capacity];  // m
    double temperature;                      // K

    // The number of the cell's vent, or -1.
    CAMBER_HD int at(int r, int c) const {
        int found = -1;
        for (int vent = 0; vent < count; ++vent)
            if (row[vent] == r && column[vent] == c) found = vent;
        return found;
    }
    CAMBER_HD bool any_within(int first_row, int end_row, int first_column, int end_column) const {
        bool found = false;
        for (int vent = 0; vent < count; ++vent)
            found = found || (row[vent] >= first_row && row[vent] < end_row &&
                              column[vent] >= first_column && column[vent] < end_column);
        return found;
    }
};

// What a launch works on.
struct LavaBoard {
    Grid<const double> altitude, thickness, temperature;
    Grid<double> next_altitude, next_thickness, next_temperature;
    Grid<double> solidified;  // in place: it is read where it is written and nowhere else
    Grid<const std::uint8_t> frame;
    // By tile. Not 0: lava may come there in this launch, or in the next one.
    Grid<std::uint32_t> awake, next_awake;
    Grid<std::uint32_t> settled;  // by tile; not 0: both buffers hold the same
    sciara_fv2::OutflowParameters outflow;
    sciara_fv2::CoolingParameters cooling;
    int rows;
    int columns;
    bool rewrite;  // whatever `settled` says, the next buffers hold nothing of use

    CAMBER_HD bool inside(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns;
    }
};

// A thread of a block of BX x BY at work on its cell, for so many steps. The outermost `rim`
// threads on every side compute what the tile in their middle needs.
template <int BX, int BY, int Steps>
class LavaTile {
  public:
    static constexpr int rim = 2 * Steps - 1;
    static constexpr int columns = BX - 2 * rim;
    static constexpr int rows = BY - 2 * rim;
    static_assert(Steps <= VentList::most_steps);
    // Lava moves by a cell a step: within a launch no farther than into the next tile.
    static_assert(columns >= Steps && rows >= Steps);

    struct Shared {
        // With a ring around the block's cells. Vents have emitted.
        Tile<double, BY + 2, BX + 2> altitude;
        Tile<double, BY + 2, BX + 2> thickness;
        Tile<double, 2 * BY, BX> temperature;  // of even steps, then of odd ones
        Tile<double, sciara_fv2::neighbours * BY, BX> flows;
    };

    CAMBER_DEVICE LavaTile(const LavaBoard& board, const VentList& vents, Shared& shared)
        : board_(board),
          vents_(vents),
          shared_(shared),
          x_(threadIdx.x),
          y_(threadIdx.y),
          first_row_(static_cast<int>(blockIdx.y) * rows - rim),
          first_column_(static_cast<int>(blockIdx.x) * columns - rim),
          row_(first_row_ + y_),
          column_(first_column_ + x_) {}

    CAMBER_DEVICE void run() {
        // Both loads are under way before one is waited for.
        const std::uint32_t awake = board_.awake(blockIdx.y, blockIdx.x);
        const std::uint32_t settled = board_.settled(blockIdx.y, blockIdx.x);
        any_vent_ = vents_.any_within(first_row_ - 1, first_row_ + BY + 1, first_column_ - 1,
                                      first_column_ + BX + 1);
        if (awake != 0 || any_vent_) {
            stage();
            advance();
            finish();
        } else if (settled == 0 || board_.rewrite) {
            copy();
        }
    }

  private:
    struct Lava {
        double z, h;
    };

    CAMBER_DEVICE bool within(int margin) const {
        return x_ >= margin && x_ < BX - margin && y_ >= margin && y_ < BY - margin;
    }
    CAMBER_DEVICE bool in_tile() const { return within(rim) && board_.inside(row_, column_); }
    CAMBER_DEVICE bool is_first() const { return x_ == 0 && y_ == 0; }

    CAMBER_DEVICE void copy() {
        if (in_tile()) {
            board_.next_altitude(row_, column_) = board_.altitude(row_, column_);
            board_.next_thickness(row_, column_) = board_.thickness(row_, column_);
            board_.next_temperature(row_, column_) = board_.temperature(row_, column_);
        }
        __syncthreads();  // all threads have read `settled`
        if (is_first()) board_.settled(blockIdx.y, blockIdx.x) = 1u;
    }

    CAMBER_DEVICE void stage() {
        const bool on_board = board_.inside(row_, column_);
        t_ = load_if(on_board, board_.temperature, row_, column_, 0.0);
        takes_part_ =
            load_if(on_board, board_.frame, row_, column_, static_cast<std::uint8_t>(1)) == 0;
        const Lava own = load(row_, column_, on_board);
        // One of the cells around the block: all loads are under way before a store waits for one.
        constexpr int row_cells = BX + 2;
        constexpr int ring_cells = 2 * row_cells + 2 * BY;
        static_assert(ring_cells <= BX * BY);
        const int i = y_ * BX + x_;
        const int side = i - 2 * row_cells;
        const int r = i < row_cells ? 0 : side < 0 ? BY + 1 : 1 + side / 2;
        const int c = i < row_cells ? i : side < 0 ? i - row_cells : side % 2 * (BX + 1);
        const int ring_row = first_row_ + r - 1;
        const int ring_column = first_column_ + c - 1;
        const Lava beside =
            load(ring_row, ring_column, i < ring_cells && board_.inside(ring_row, ring_column));
        z_ = own.z;
        h_ = own.h;
        if (any_vent_) {
            vent_ = vents_.at(row_, column_);
            if (vent_ >= 0) t_ = vents_.temperature;
        }
        put(y_ + 1, x_ + 1, own);
        if (i < ring_cells) put(r, c, beside);
        shared_.temperature(y_, x_) = t_;
        __syncthreads();
    }

    // After the emission of the launch's first step.
    CAMBER_DEVICE Lava load(int row, int column, bool wanted, Site site = Site::current()) const {
        const CallPath path(site);
        const double z = load_if(wanted, board_.altitude, row, column, 0.0);
        double h = load_if(wanted, board_.thickness, row, column, 0.0);
        if (any_vent_)
            if (const int vent = vents_.at(row, column); vent >= 0) h += vents_.thickness[0][vent];
        return {z, h};
    }
    CAMBER_DEVICE void put(int r, int c, const Lava& lava, Site site = Site::current()) {
        const CallPath path(site);
        shared_.altitude(r, c) = lava.z;
        shared_.thickness(r, c) = lava.h;
    }

    // A loop that stays one: unrolled, code would be fetched anew for every step.
    CAMBER_DEVICE void advance() {
#pragma unroll 1
        for (int step = 0; step < Steps; ++step) {
            if (step > 0) {
                if (within(2 * step - 1)) hand_on(step);
                __syncthreads();
            }
            if (within(2 * step)) flow_out();
            __syncthreads();
            if (within(2 * step + 1)) {
                exchange(step);
                cool();
            }
        }
    }

    CAMBER_DEVICE void flow_out() {
        using namespace sciara_fv2;
        for (int k = 0; k < neighbours; ++k) own_[k] = 0;
        const Site of_altitude = Site::current();
        const Site of_thickness = Site::current();
        if (takes_part_ && h_ > 0) {
            double heads[neighbours + 1];
            heads[0] = z_;
            each_neighbour([&]<int k>(Neighbour<k>) {
                const int r = y_ + 1 + row_offset(k);
                const int c = x_ + 1 + column_offset(k);
                const double z_k = shared_.altitude(r, c, of_altitude);
                const double h_k = shared_.thickness(r, c, of_thickness);
                heads[k] = head(k, z_, z_k, h_k);
            });
            outflows_by_bounds(heads, h_, t_, board_.outflow, own_);
        } else {
            each_neighbour([&](auto) {
                skip(of_altitude);
                skip(of_thickness);
            });
        }
        each_neighbour(
            [&]<int k>(Neighbour<k>) { shared_.flows((k - 1) * BY + y_, x_) = own_[k - 1]; });
    }

    CAMBER_DEVICE void exchange(int step) {
        using namespace sciara_fv2;
        if (!takes_part_) return;
        double in[neighbours];
        bool has_lava = h_ > 0;
        each_neighbour([&]<int k>(Neighbour<k>) {
            in[k - 1] =
                shared_.flows((opposite(k) - 1) * BY + y_ + row_offset(k), x_ + column_offset(k));
            has_lava = has_lava || in[k - 1] > 0;
        });
        const Site of_temperature = Site::current();
        if (!has_lava) {  // nothing to mix: the cell stays as it was
            each_neighbour([&](auto) { skip(of_temperature); });
            return;
        }
        Mixture mixture(h_, t_);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const double t_k = shared_.temperature(step % 2 * BY + y_ + row_offset(k),
                                                   x_ + column_offset(k), of_temperature);
            mixture.exchange(in[k - 1], t_k, own_[k - 1], t_);
        });
        const Values<double, double> lava = after_exchange(mixture, h_, t_);
        h_ = get<0>(lava);
        t_ = get<1>(lava);
    }

    CAMBER_DEVICE void cool() {
        if (!takes_part_) {
            h_ = 0;
            t_ = 0;
        } else if (h_ > 0) {
            t_ = sciara_fv2::cooled(t_, h_, board_.cooling);
            if (t_ > board_.cooling.solid) return;
            if (in_tile()) {
                const double solid = board_.solidified(row_, column_);
                board_.solidified(row_, column_) = solid + h_;
            }
            z_ += h_;
            h_ = 0;
            t_ = board_.cooling.solid;
        }
    }

    // Emission of a step after the first, and the cell as the block's others see it.
    CAMBER_DEVICE void hand_on(int step) {
        if (vent_ >= 0) {
            h_ += vents_.thickness[step][vent_];
            t_ = vents_.temperature;
        }
        shared_.altitude(y_ + 1, x_ + 1) = z_;
        shared_.thickness(y_ + 1, x_ + 1) = h_;
        shared_.temperature(step % 2 * BY + y_, x_) = t_;
    }

    CAMBER_DEVICE void finish() {
        const bool writes = in_tile();
        if (writes) {
            board_.next_altitude(row_, column_) = z_;
            board_.next_thickness(row_, column_) = h_;
            board_.next_temperature(row_, column_) = t_;
        }
        wake(writes && h_ > 0);
        if (is_first()) {
            board_.awake(blockIdx.y, blockIdx.x) = 0u;  // this buffer is the next launch's next
            board_.settled(blockIdx.y, blockIdx.x) = 0u;
        }
    }

    // Wakes for the next launch this tile, if any of its cells has lava, and those beside it that
    // its lava may reach.
    CAMBER_DEVICE void wake(bool has_lava) {
        constexpr unsigned all = 0xffffffffu;
        if (!__any_sync(all, has_lava)) return;
        const bool up = __any_sync(all, has_lava && y_ < rim + Steps);
        const bool down = __any_sync(all, has_lava && y_ >= BY - rim - Steps);
        const bool left = __any_sync(all, has_lava && x_ < rim + Steps);
        const bool right = __any_sync(all, has_lava && x_ >= BX - rim - Steps);
        // A lane for each of the nine tiles.
        const int lane = (y_ * BX + x_) % 32;
        const int down_by = lane / 3 - 1;
        const int right_by = lane % 3 - 1;
        const bool vertically = down_by == 0 || (down_by < 0 ? up : down);
        const bool horizontally = right_by == 0 || (right_by < 0 ? left : right);
        if (lane < 9 && vertically && horizontally)
            atomicOr(&board_.next_awake(static_cast<int>(blockIdx.y) + down_by,
                                        static_cast<int>(blockIdx.x) + right_by),
                     1u);
    }

    const LavaBoard& board_;
    const VentList& vents_;
    Shared& shared_;
    int x_, y_;
    int first_row_, first_column_;  // of the block's cells
    int row_, column_;
    bool any_vent_ = false;  // among the cells that are staged
    int vent_ = -1;
    bool takes_part_ = false;  // not of the frame
    double z_ = 0, h_ = 0, t_ = 0;
    double own_[sciara_fv2::neighbours] = {};  // outflows
};

// Blocks that a multiprocessor is to hold: most return at once, and the next ones wait for their
// place. For more, registers would have to be spilt.
template <int BX, int BY>
inline constexpr int blocks_at_once = (768 + BX * BY - 1) / (BX * BY);

template <int BX, int BY, int Steps>
__global__ void __launch_bounds__(BX* BY, blocks_at_once<BX, BY>)
    one_kernel(const LavaBoard board, const VentList vents) {
    static_assert(BX * BY % 32 == 0);
    using Block = LavaTile<BX, BY, Steps>;
    __shared__ typename Block::Shared shared;
    Block(board, vents, shared).run();
}

CAMBER_TARGET_END
