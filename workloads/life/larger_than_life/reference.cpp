#include "workloads/life/larger_than_life/reference.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "workloads/core/parallel_rows.hpp"

namespace camber {

namespace {

using Sums = std::vector<std::uint16_t>;

int wrapped(int i, int n) {
    return ((i % n) + n) % n;
}

// A thread's work on one row after the other.
class RowSums {
  public:
    RowSums(std::span<const std::uint8_t> cells, Size size, Boundary boundary, int radius)
        : cells_(cells),
          size_(size),
          boundary_(boundary),
          radius_(radius),
          columns_(static_cast<std::size_t>(size.columns + 2 * radius)),
          squares_(static_cast<std::size_t>(size.columns)) {}

    // For each cell of the row, how many cells of its square live.
    const Sums& of(int row) {
        add_columns(row);
        std::ranges::fill(squares_, 0);
        for (int d = 0; d <= 2 * radius_; ++d) add(columns_.data() + d, squares_.data());
        return squares_;
    }

  private:
    void add_columns(int row) {
        std::ranges::fill(columns_, 0);
        for (int d = -radius_; d <= radius_; ++d) {
            int r = row + d;
            if (boundary_ == Boundary::torus) r = wrapped(r, size_.rows);
            if (r < 0 || r >= size_.rows) continue;
            add(cells_.data() + static_cast<std::ptrdiff_t>(r) * size_.columns,
                columns_.data() + radius_);
        }
        if (boundary_ != Boundary::torus) return;
        for (int d = 1; d <= radius_; ++d) {
            at(-d) = at(wrapped(-d, size_.columns));
            at(size_.columns - 1 + d) = at(wrapped(size_.columns - 1 + d, size_.columns));
        }
    }
    std::uint16_t& at(int column) { return columns_[static_cast<std::size_t>(column + radius_)]; }

    // A row to another, cell by cell.
    template <class T>
    void add(const T* source, std::uint16_t* target) const {
        for (int c = 0; c < size_.columns; ++c)
            target[c] = static_cast<std::uint16_t>(target[c] + source[c]);
    }

    std::span<const std::uint8_t> cells_;
    Size size_;
    Boundary boundary_;
    int radius_;
    Sums columns_;  // with the radius on both sides
    Sums squares_;
};

}  // namespace

void larger_than_life_generation(std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
                                 Size size, const GenerationContext& context) {
    const auto parameters = LargerThanLife::parameters(context.parameters);
    parallel_rows(context.threads, size.rows, [&](int first, int last) {
        RowSums sums(from, size, context.boundary, parameters.radius);
        for (int row = first; row < last; ++row) {
            const Sums& living = sums.of(row);
            const auto start = static_cast<std::size_t>(row) * size.columns;
            for (int c = 0; c < size.columns; ++c)
                to[start + c] = LargerThanLife::next_of(living[c], from[start + c], parameters);
        }
    });
}

}  // namespace camber
