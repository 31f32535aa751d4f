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

// How a board's rows are divided among places.

// One stripe of whole rows for each weight, in order, as near to its share as whole rows allow:
// place d begins at row floor((2 R P_d + W) / 2 W), where P_d is the weight of those before it and
// W that of all. Weights are positive; a stripe may be empty where there are fewer rows than
// places.
std::vector<Rows> stripes(int rows, std::span<const int> weights);
// The same weight for all.
std::vector<Rows> stripes(int rows, int places);

// The same stripes, with borders that `block` rows divide, where that moves none by more than a
// hundredth of a stripe: kernels that find whole blocks need not test where the board ends.
std::vector<Rows> in_whole_blocks(std::vector<Rows> stripes, int block);

// Which rows change their place, by the time that each place takes for its own: a place that is
// slower than the mean costs all others as much (Rustico 2012, section 8.10).
class Balancer {
  public:
    // `fewest`: rows that a place keeps.
    Balancer(const Balancing& balancing, int fewest) : balancing_(balancing), fewest_(fewest) {}

    // The rows that the places go on with. `seconds`: what each took for its stripe, on average,
    // since this was last called.
    std::vector<Rows> divided_anew(std::vector<Rows> stripes, std::span<const double> seconds);

  private:
    // What moved a boundary last: +1 downwards, -1 upwards, and by how much the place that gave
    // rows was slower than the mean.
    struct Move {
        int direction = 0;
        double excess = 0;
    };

    bool may_move(int giver, int taker, double excess) const;

    Balancing balancing_;
    int fewest_;
    std::vector<Move> moves_;  // of the boundary below each place
};

// Which places are at work on a board whose cells at work lie in a box that grows, and which rows
// of the box each of them has (Rustico 2012, section 6.6).
class BoxDivision {
  public:
    // A place has this many rows of the box, or the places at work are fewer: an edge row for each
    // neighbour, and one between them that hides their way.
    static constexpr int fewest_rows = 3;

    // How many blocks a launch over some rows of the box has.
    using Blocks = std::function<std::int64_t(Rows)>;

    BoxDivision(const Division& division, int board_rows);

    // As at the start: nothing is divided yet.
    void begin();
    // Divides the rows of the box among as many places as are to be at work. Whether any place has
    // other rows of the board than before.
    bool divide(Rows box, int generation, const Blocks& blocks);

    int at_work() const { return at_work_; }  // the first ones
    // Of every place, of the board: rows outside of the box go to the place nearest to them. Of
    // places that are not at work: none.
    const std::vector<Rows>& stripes() const { return stripes_; }
    // Of the box.
    Rows part(int place) const;
    // One for every time that the rows of the box moved, or another place joined.
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

// Which slices of a row of slices each place of a group has, where slices differ in how many
// elements they have; and where those lie that a place holds (Rustico 2012, section 8.3).

// The slices of each place: consecutive ones, at least one, and as many elements as its weight
// says, as nearly as whole slices allow. There are no fewer slices than weights.
std::vector<Rows> divided_slices(std::span<const std::int64_t> elements,
                                 std::span<const int> weights);

// A place holds its own slices and one more on each side where there is one; in a row, each slice's
// elements side by side. Its own begin at a multiple of a warp's lanes: where warps would lie
// across lines of memory, two of them wrote to each. With 50 million particles one of two H200
// then took 17 % longer to find neighbours than the other, whose slots begin at 0
// (results/h200x2-particles).
class SliceLayout {
  public:
    static constexpr std::int64_t lanes = 32;
    static constexpr std::int64_t most_unused = lanes - 1;

    SliceLayout() = default;
    // `elements`: of all slices.
    SliceLayout(std::span<const std::int64_t> elements, Rows own);

    Rows own() const { return own_; }
    Rows held() const { return held_; }
    // Elements that the place holds. It needs room for most_unused more.
    std::int64_t count() const { return firsts_.back() - firsts_.front(); }
    // Where the elements of some of the slices lie that it holds.
    Rows elements_of(Rows slices) const;

  private:
    Rows own_;
    Rows held_;
    std::vector<std::int64_t> firsts_{0};  // of each slice that it holds, and behind the last one
};

// Slices that a place gets of another one.
struct SliceMove {
    int from = 0;
    int to = 0;
    Rows slices;
};
// What every place needs that it did not have, when the places `had` those slices and `have` these
// from now on: its own ones, and those that it holds beside them. No slice twice, `from` the one
// that had it.
std::vector<SliceMove> slice_moves(const std::vector<Rows>& had, const std::vector<Rows>& have);

}  // namespace camber
