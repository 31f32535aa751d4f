// Which places are at work on a board whose cells at work lie in a box that grows, and which rows
// of the box each of them has (Rustico 2012, section 6.6).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/base/rows.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/division.hpp"

namespace camber {

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

}  // namespace camber
