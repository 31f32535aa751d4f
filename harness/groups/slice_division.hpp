// Which slices of a row of slices each place of a group has, where slices differ in how many
// elements they have; and where those lie that a place holds (Rustico 2012, section 8.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/rows.hpp"

namespace camber {

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
