// Partition of a board's rows, of a growing box or of slices among the devices of a group, by
// weights or by measured times.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/division.hpp"

namespace camber {

// Division of a board's rows among devices

// One stripe of whole rows for each weight, in order, as close to its share as whole rows allow:
// stripe d begins at row floor((2 R P_d + W) / 2 W) of R rows, where P_d is the sum of the weights
// before d and W the sum of all weights. Weights are positive; a stripe may be empty if there are
// fewer rows than devices.
std::vector<Rows> stripes(int rows, std::span<const int> weights);
// The same with equal weights.
std::vector<Rows> stripes(int rows, int places);

// Rounds the borders between stripes to multiples of `block` rows, if that moves no border by more
// than a hundredth of a stripe: kernels with whole blocks need not test for the end of the board.
std::vector<Rows> in_whole_blocks(std::vector<Rows> stripes, int block);

// Tolerated deviation of a device's time from the mean, as a fraction of the time for the rows that
// move at once (H_LB of Listing 8.2).
struct BalanceThreshold {
    double share = 0.5;
    // The threshold doubles when rows move back, and decays while none move.
    bool is_adaptive = false;
};

// Moves rows between devices according to the time that each takes for its own rows: a device that
// is slower than the mean delays all others (Rustico 2012, section 8.10).
class Balancer {
  public:
    // `fewest`: minimum number of rows of a device.
    Balancer(const Balancing& balancing, int fewest, BalanceThreshold threshold = {})
        : balancing_(balancing), fewest_(fewest), threshold_(threshold) {}

    // Returns the new rows of the devices. `seconds`: average time that each took for its stripe
    // since the last call.
    std::vector<Rows> divided_anew(std::vector<Rows> stripes, std::span<const double> seconds);

  private:
    // Last move of a boundary: direction (+1 down, -1 up), and the time by which the device that
    // gave rows exceeded the mean.
    struct Move {
        int direction = 0;
        double excess = 0;
    };

    bool may_move(int giver, int taker, double excess) const;
    std::vector<Rows> moved(std::vector<Rows> stripes, int giver, int taker, double excess);

    Balancing balancing_;
    int fewest_;
    BalanceThreshold threshold_;
    std::vector<Move> moves_;  // of the boundary below each device
};

// Number of active devices, and their rows, on a board whose active cells are in a growing box
// (Rustico 2012, section 6.6).
class BoxDivision {
  public:
    // Minimum number of box rows per active device: an edge row for each neighbor, and one row
    // between them whose computation hides the transfer. With fewer rows, fewer devices are active.
    static constexpr int fewest_rows = 3;

    // Number of blocks in a launch over some rows of the box.
    using Blocks = std::function<std::int64_t(Rows)>;

    BoxDivision(const Division& division, int board_rows);

    // Resets to the initial state without any division.
    void begin();
    // Divides the rows of the box among the devices that should be active. Returns true if any
    // device's rows of the board have changed.
    bool divide(Rows box, int generation, const Blocks& blocks);

    int at_work() const { return at_work_; }  // the first devices
    // Board rows of every device: rows outside the box belong to the nearest active device.
    // Inactive devices have none.
    const std::vector<Rows>& stripes() const { return stripes_; }
    // Rows of the box on device `place`.
    Rows part(int place) const;
    // One entry for each time that rows of the box moved or a device became active.
    const std::vector<RowDivision>& divisions() const { return divisions_; }

  private:
    std::vector<Rows> divided(Rows box, int places) const;
    bool can_work(Rows box, int places) const;
    bool is_saturated(Rows box, int places, const Blocks& blocks) const;
    void note(int generation, const std::vector<Rows>& before);

    std::vector<int> weights_;
    Start start_;
    int board_rows_;
    int at_work_ = 0;
    Rows box_;
    std::vector<Rows> stripes_;
    std::vector<RowDivision> divisions_;
};

// Division of a row of slices with different element counts among the devices of a group, and the
// memory layout of a device's elements (Rustico 2012, section 8.3)

// Slices of each device: consecutive, at least one, with a number of elements as close to the
// device's weight as whole slices allow. There are at least as many slices as weights.
std::vector<Rows> divided_slices(std::span<const std::int64_t> elements,
                                 std::span<const int> weights);

// Memory layout of a device's slices: its own and one more on each side, if there is one. Each
// slice's elements are contiguous. The device's own elements begin at a multiple of the warp size;
// otherwise warps straddle memory lines, and two warps write to each line. With 50 million
// particles, one of two H200 then took 17 % longer to find neighbors than the other, whose slots
// begin at 0 (results/h200x2/particles).
class SliceLayout {
  public:
    static constexpr std::int64_t lanes = 32;
    static constexpr std::int64_t most_unused = lanes - 1;

    SliceLayout() = default;
    // `elements`: elements in each of all slices.
    SliceLayout(std::span<const std::int64_t> elements, Rows own);

    Rows own() const { return own_; }
    Rows held() const { return held_; }
    // Number of elements that the device stores. It allocates most_unused more.
    std::int64_t count() const { return firsts_.back() - firsts_.front(); }
    // Positions of the elements of some of the stored slices.
    Rows elements_of(Rows slices) const;

  private:
    Rows own_;
    Rows held_;
    // First element of each stored slice, and the end of the last one.
    std::vector<std::int64_t> firsts_{0};
};

// Slices that a device receives from another one.
struct SliceMove {
    int from = 0;
    int to = 0;
    Rows slices;
};
// Lists the slices that each device needs and did not store before, when the devices' slices change
// from `had` to `have`: its own slices and the adjacent ones. No slice appears twice; `from` is the
// device that had it.
std::vector<SliceMove> slice_moves(const std::vector<Rows>& had, const std::vector<Rows>& have);

}  // namespace camber
