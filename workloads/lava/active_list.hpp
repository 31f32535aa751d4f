// List of the cells that a step can change, for references that change their state in place.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/state.hpp"

namespace camber::lava {

// Active cells and their eight neighbors, in row-major order. Lava moves by at most one cell per
// step, so that only cells of the list can change.
class ActiveList {
  public:
    // is_active(i): true if cell i has lava or a vent.
    template <class IsActive>
    ActiveList(Size size, const IsActive& is_active)
        : size_(size), marks_(static_cast<std::size_t>(size.cells())), edges_(marks_.size()) {
        for (int row = 0; row < size.rows; ++row)
            for (int column = 0; column < size.columns; ++column)
                edges_[index(row, column)] = static_cast<std::uint8_t>(
                    (column == 0 ? west : 0) | (column == size.columns - 1 ? east : 0) |
                    (row == 0 ? north : 0) | (row == size.rows - 1 ? south : 0));
        for (std::size_t i = 0; i < marks_.size(); ++i)
            if (is_active(i)) add_around(i);
        merge();
    }

    std::span<const std::uint32_t> cells() const { return cells_; }

    // True if the neighbor of cell i in this direction is on the board.
    bool has_neighbour(std::size_t i, int dcol, int drow) const {
        const std::uint8_t sides =
            static_cast<std::uint8_t>((dcol < 0 ? west : dcol > 0 ? east : 0) |
                                      (drow < 0 ? north : drow > 0 ? south : 0));
        return (edges_[i] & sides) == 0;
    }
    std::size_t neighbour(std::size_t i, int dcol, int drow) const {
        return i + static_cast<std::ptrdiff_t>(drow) * size_.columns + dcol;
    }

    // Adds cell i, which has become active, and its neighbors. They are in cells() after merge().
    void add_around(std::size_t i) {
        for (int drow = -1; drow <= 1; ++drow)
            for (int dcol = -1; dcol <= 1; ++dcol) {
                if (!has_neighbour(i, dcol, drow)) continue;
                const std::size_t j = neighbour(i, dcol, drow);
                if (marks_[j]) continue;
                marks_[j] = 1;
                added_.push_back(static_cast<std::uint32_t>(j));
            }
    }
    void merge() {
        if (added_.empty()) return;
        std::ranges::sort(added_);
        const auto middle = static_cast<std::ptrdiff_t>(cells_.size());
        cells_.insert(cells_.end(), added_.begin(), added_.end());
        std::inplace_merge(cells_.begin(), cells_.begin() + middle, cells_.end());
        added_.clear();
    }
    // Removes cells that are neither active nor neighbors of active cells; calls dropped(i) for
    // each.
    template <class IsActive, class Dropped>
    void prune(const IsActive& is_active, const Dropped& dropped) {
        std::erase_if(cells_, [&](std::size_t i) {
            for (int drow = -1; drow <= 1; ++drow)
                for (int dcol = -1; dcol <= 1; ++dcol)
                    if (has_neighbour(i, dcol, drow) && is_active(neighbour(i, dcol, drow)))
                        return false;
            marks_[i] = 0;
            dropped(i);
            return true;
        });
    }

  private:
    enum Side : std::uint8_t { west = 1, east = 2, north = 4, south = 8 };

    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row) * size_.columns + column;
    }

    Size size_;
    std::vector<std::uint8_t> marks_;  // nonzero for cells in the list
    std::vector<std::uint8_t> edges_;  // sides of the board that the cell touches
    std::vector<std::uint32_t> cells_;
    std::vector<std::uint32_t> added_;
};

// Number of steps between two calls of prune(). Cells that lava has left cost little until then.
inline constexpr int steps_between_prunings = 256;

// Calls f(position, cell) for every cell of the list, on `threads` CPU threads.
template <class F>
void each_listed(const ActiveList& list, int threads, const F& f) {
    const auto cells = list.cells();
    // With fewer cells, the loop ends before other threads wake up.
    [[maybe_unused]] const bool many = threads > 1 && cells.size() > 10'000;
#pragma omp parallel for num_threads(threads) schedule(static) if (many)
    for (std::size_t at = 0; at < cells.size(); ++at) f(at, std::size_t{cells[at]});
}

}  // namespace camber::lava
