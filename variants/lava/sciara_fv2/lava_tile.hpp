// Tile of a board with SCIARA-fv2 lava, and the block of threads that computes one or several whole
// steps of it. As in cfame, the block computes the outflows of the tile and of halos around it into
// shared memory. It then cools the lava and clears the frame. Further steps begin with their
// emission; the valid region shrinks by two cells per step on every side. Vents are a list; the
// thread that stages a vent's cell adds its emission.
//
// Physics is the arithmetic of a cell: CanonicalLava, RoundedLava or ShortLava.
#pragma once

#include <cstdint>

#include "harness/machine/kernel/vocabulary.hpp"
#include "variants/lava/sciara_fv2/power_table.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Cells of all vents and their emission in the steps of one launch, as a kernel argument.
struct VentList {
    static constexpr int capacity = 8;
    static constexpr int most_steps = 4;

    int count;
    int row[capacity];
    int column[capacity];
    double thickness[most_steps][capacity];  // m
    double temperature;                      // K

    // Emission of a vent in a step of the launch, m.
    CAMBER_HD double given(int step, int vent) const { return thickness[step][vent]; }
    // Index of the vent in the cell, or -1.
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

// Arguments of a launch.
template <class Physics>
struct LavaBoard {
    Grid<const double> altitude, thickness, temperature;
    Grid<double> next_altitude, next_thickness, next_temperature;
    Grid<double> solidified;  // in place: no other cell reads it
    Grid<const std::uint8_t> frame;
    typename Physics::Outflow outflow;
    typename Physics::Cooling cooling;
    int rows;
    int columns;

    CAMBER_HD bool inside(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns;
    }
};

// Directions in which lava may leave the tile during a launch.
struct Reach {
    bool any, up, down, left, right;
};

// Thread of a block of BX x BY that computes its cell of a tile for some steps. The outermost `rim`
// threads on every side compute intermediate results for the tile in the middle. `Vents` is
// VentList or has the same functions.
template <int BX, int BY, int Steps, class Physics, class Vents = VentList>
class LavaTile {
  public:
    static constexpr int rim = 2 * Steps - 1;
    static constexpr int columns = BX - 2 * rim;
    static constexpr int rows = BY - 2 * rim;
    static_assert(Steps <= VentList::most_steps);
    // Lava moves by one cell per step, so within a launch it reaches adjacent tiles at most.
    static_assert(columns >= Steps && rows >= Steps);

    struct Shared : Physics::Tables {  // a base class, which takes no space if it is empty
        // Includes a halo around the block's cells, after the emission.
        Tile<double, BY + 2, BX + 2> altitude;
        Tile<double, BY + 2, BX + 2> thickness;
        Tile<double, 2 * BY, BX> temperature;  // of even steps, then of odd steps
        Tile<double, sciara_fv2::neighbours * BY, BX> flows;
    };

    // Called by every thread of the block; all loads are issued at once.
    CAMBER_DEVICE LavaTile(const LavaBoard<Physics>& board, const Vents& vents, Shared& shared,
                           int tile_row, int tile_column)
        : board_(board),
          vents_(vents),
          shared_(shared),
          x_(threadIdx.x),
          y_(threadIdx.y),
          first_row_(tile_row * rows - rim),
          first_column_(tile_column * columns - rim),
          row_(first_row_ + y_),
          column_(first_column_ + x_),
          any_vent_(vents.any_within(first_row_ - 1, first_row_ + BY + 1, first_column_ - 1,
                                     first_column_ + BX + 1)) {
        load();
    }

    // True if lava of a vent may reach the tile in this launch.
    CAMBER_DEVICE bool near_vent() const { return any_vent_; }

    // Copies the unchanged tile to the buffers of the next launch.
    CAMBER_DEVICE void copy() { store(); }

    // Computes all steps and stores the tile for the next launch.
    CAMBER_DEVICE void compute() {
        stage();
        advance();
        store();
    }

    // State of this thread's cell after compute().
    CAMBER_DEVICE Reach reach() const {
        const bool lava = h_ > 0 && in_tile();
        return {lava, lava && y_ < rim + Steps, lava && y_ >= BY - rim - Steps,
                lava && x_ < rim + Steps, lava && x_ >= BX - rim - Steps};
    }

    // True if the launch has changed this thread's cell; valid after compute().
    CAMBER_DEVICE bool has_changed() const {
        if (!in_tile()) return false;
        return z_ != board_.altitude(row_, column_) || h_ != board_.thickness(row_, column_) ||
               t_ != board_.temperature(row_, column_);
    }

  private:
    using Tables = typename Physics::Tables;
    static constexpr int threads = BX * BY;
    struct Lava {
        double z, h;
    };

    CAMBER_DEVICE bool within(int margin) const {
        return x_ >= margin && x_ < BX - margin && y_ >= margin && y_ < BY - margin;
    }
    CAMBER_DEVICE bool in_tile() const { return within(rim) && board_.inside(row_, column_); }

    CAMBER_DEVICE void load() {
        const bool on_board = board_.inside(row_, column_);
        t_ = load_if(on_board, board_.temperature, row_, column_, 0.0);
        takes_part_ =
            load_if(on_board, board_.frame, row_, column_, static_cast<std::uint8_t>(1)) == 0;
        const Lava own = lava(row_, column_, on_board);
        z_ = own.z;
        h_ = own.h;
        // Assigns one of the halo cells to the thread.
        constexpr int row_cells = BX + 2;
        constexpr int ring_cells = 2 * row_cells + 2 * BY;
        static_assert(ring_cells <= BX * BY);
        const int i = y_ * BX + x_;
        const int side = i - 2 * row_cells;
        in_ring_ = i < ring_cells;
        ring_y_ = i < row_cells ? 0 : side < 0 ? BY + 1 : 1 + side / 2;
        ring_x_ = i < row_cells ? i : side < 0 ? i - row_cells : side % 2 * (BX + 1);
        const int ring_row = first_row_ + ring_y_ - 1;
        const int ring_column = first_column_ + ring_x_ - 1;
        beside_ = lava(ring_row, ring_column, in_ring_ && board_.inside(ring_row, ring_column));
        part_ = Tables::template load<threads>(i);
    }
    CAMBER_DEVICE Lava lava(int row, int column, bool wanted, Site site = Site::current()) const {
        const CallPath path(site);
        const double z = load_if(wanted, board_.altitude, row, column, 0.0);
        const double h = load_if(wanted, board_.thickness, row, column, 0.0);
        return {z, h};
    }

    // Stages the block's cells and its halo after the emission of the launch's first step.
    CAMBER_DEVICE void stage() {
        if (any_vent_) {
            vent_ = vents_.at(row_, column_);
            if (vent_ >= 0) {
                h_ += vents_.given(0, vent_);
                t_ = vents_.temperature;
            }
            const int vent = vents_.at(first_row_ + ring_y_ - 1, first_column_ + ring_x_ - 1);
            if (in_ring_ && vent >= 0) beside_.h += vents_.given(0, vent);
        }
        put(y_ + 1, x_ + 1, {z_, h_});
        if (in_ring_) put(ring_y_, ring_x_, beside_);
        shared_.temperature(y_, x_) = t_;
        shared_.template store<threads>(y_ * BX + x_, part_);
        __syncthreads();
    }
    CAMBER_DEVICE void put(int r, int c, const Lava& lava, Site site = Site::current()) {
        const CallPath path(site);
        shared_.altitude(r, c) = lava.z;
        shared_.thickness(r, c) = lava.h;
    }

    // Not unrolled: instructions would be fetched anew for every step.
    CAMBER_DEVICE void advance() {
#pragma unroll 1
        for (int step = 0; step < Steps; ++step) {
            if (step > 0) {
                if (within(2 * step - 1)) hand_on(step);
                __syncthreads();
            }
            if (within(2 * step)) flow_out();
            __syncthreads();
            if (within(2 * step + 1)) exchange_and_cool(step);
        }
    }

    CAMBER_DEVICE void flow_out() {
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
                heads[k] = Physics::head(k, z_, z_k, h_k);
            });
            Physics::outflows(heads, h_, t_, board_.outflow, own_, shared_);
        } else {
            each_neighbour([&](auto) {
                skip(of_altitude);
                skip(of_thickness);
            });
        }
        each_neighbour(
            [&]<int k>(Neighbour<k>) { shared_.flows((k - 1) * BY + y_, x_) = own_[k - 1]; });
    }

    CAMBER_DEVICE void exchange_and_cool(int step) {
        if (!takes_part_) {
            h_ = 0;
            t_ = 0;
            return;
        }
        double in[neighbours];
        bool has_lava = h_ > 0;
        each_neighbour([&]<int k>(Neighbour<k>) {
            in[k - 1] =
                shared_.flows((opposite(k) - 1) * BY + y_ + row_offset(k), x_ + column_offset(k));
            has_lava = has_lava || in[k - 1] > 0;
        });
        const Site of_temperature = Site::current();
        if (!has_lava) {  // nothing to mix: the cell is unchanged
            each_neighbour([&](auto) { skip(of_temperature); });
            return;
        }
        double in_temperature[neighbours];
        each_neighbour([&]<int k>(Neighbour<k>) {
            in_temperature[k - 1] = shared_.temperature(step % 2 * BY + y_ + row_offset(k),
                                                        x_ + column_offset(k), of_temperature);
        });
        Physics::exchange_and_cool(in, in_temperature, own_, h_, t_, board_.cooling, shared_);
        if (!(h_ > 0) || t_ > board_.cooling.solid) return;
        if (in_tile()) {
            const double solid = board_.solidified(row_, column_);
            board_.solidified(row_, column_) = solid + h_;
        }
        z_ += h_;
        h_ = 0;
        t_ = board_.cooling.solid;
    }

    // Adds the emission of a step after the first, and publishes the cell to the block's other
    // threads.
    CAMBER_DEVICE void hand_on(int step) {
        if (vent_ >= 0) {
            h_ += vents_.given(step, vent_);
            t_ = vents_.temperature;
        }
        shared_.altitude(y_ + 1, x_ + 1) = z_;
        shared_.thickness(y_ + 1, x_ + 1) = h_;
        shared_.temperature(step % 2 * BY + y_, x_) = t_;
    }

    CAMBER_DEVICE void store() {
        if (!in_tile()) return;
        board_.next_altitude(row_, column_) = z_;
        board_.next_thickness(row_, column_) = h_;
        board_.next_temperature(row_, column_) = t_;
    }

    const LavaBoard<Physics>& board_;
    const Vents& vents_;
    Shared& shared_;
    int x_, y_;
    int first_row_, first_column_;  // of the block's cells
    int row_, column_;
    bool any_vent_;  // among the staged cells
    int vent_ = -1;
    bool takes_part_ = false;  // false on the frame
    double z_ = 0, h_ = 0, t_ = 0;
    bool in_ring_ = false;  // whether the thread stages a halo cell, and which
    int ring_y_ = 0, ring_x_ = 0;
    Lava beside_{0, 0};
    typename Tables::template Part<threads> part_;
    double own_[sciara_fv2::neighbours] = {};  // outflows
};

CAMBER_TARGET_END
