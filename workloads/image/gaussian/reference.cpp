#include "workloads/image/gaussian/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/reference.hpp"

namespace camber {

namespace {

using reference_detail::wrapped;

using AddRow = void (*)(float weight, const float* row, int columns, float* sums);

// Adds `weight` times each cell of a row to its sum.
[[gnu::always_inline]] inline void add_row(float weight, const float* row, int columns,
                                           float* sums) {
#pragma omp simd
    for (int c = 0; c < columns; ++c) sums[c] = fmaf(weight, row[c], sums[c]);
}

void add_row_portably(float weight, const float* row, int columns, float* sums) {
    add_row(weight, row, columns, sums);
}

// Chosen by hand for the reasons in workloads/image/blur/reference.cpp.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void add_row_avx512(float weight, const float* row, int columns,
                                               float* sums) {
    add_row(weight, row, columns, sums);
}
[[gnu::target("avx2,fma")]] void add_row_avx2(float weight, const float* row, int columns,
                                              float* sums) {
    add_row(weight, row, columns, sums);
}
AddRow best_add_row() {
    if (__builtin_cpu_supports("avx512f")) return add_row_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add_row_avx2;
    return add_row_portably;
}
#else
AddRow best_add_row() {
    return add_row_portably;
}
#endif

// One thread's work on successive rows. It stores the row sums of a square's rows, each at the
// index of its row number modulo their count.
class Passes {
  public:
    Passes(std::span<const float> cells, Size size, const GaussianWeights& weights,
           Boundary boundary)
        : cells_(cells),
          size_(size),
          weights_(weights),
          boundary_(boundary),
          add_row_(best_add_row()),
          padded_(static_cast<std::size_t>(size.columns + 2 * weights.radius)),
          row_sums_(static_cast<std::size_t>(2 * weights.radius + 1)) {}

    // Rows [first, last).
    void blur(int first, int last, float* blurred) {
        const int radius = weights_.radius;
        for (int row = first - radius; row < first + radius; ++row) sum_row(row);
        for (int row = first; row < last; ++row) {
            sum_row(row + radius);
            float* const sums = blurred + static_cast<std::ptrdiff_t>(row) * size_.columns;
            std::fill_n(sums, size_.columns, 0.0f);
            for (int d = -radius; d <= radius; ++d)
                add_row_(weights_.weights[radius + d], sums_of(row + d).data(), size_.columns,
                         sums);
        }
    }

  private:
    std::vector<float>& sums_of(int row) {
        const int count = 2 * weights_.radius + 1;
        return row_sums_[static_cast<std::size_t>(wrapped(row, count))];
    }

    void sum_row(int row) {
        std::vector<float>& sums = sums_of(row);
        sums.assign(static_cast<std::size_t>(size_.columns), 0.0f);
        if (boundary_ == Boundary::torus) row = wrapped(row, size_.rows);
        if (row < 0 || row >= size_.rows) return;
        const auto* const cells = cells_.data() + static_cast<std::ptrdiff_t>(row) * size_.columns;
        const int radius = weights_.radius;
        std::copy_n(cells, size_.columns, padded_.begin() + radius);
        if (boundary_ == Boundary::torus)
            for (int d = 0; d < radius; ++d) {
                padded_[static_cast<std::size_t>(d)] = cells[wrapped(d - radius, size_.columns)];
                padded_[static_cast<std::size_t>(radius + size_.columns + d)] =
                    cells[wrapped(d, size_.columns)];
            }
        for (int d = 0; d <= 2 * radius; ++d)
            add_row_(weights_.weights[d], padded_.data() + d, size_.columns, sums.data());
    }

    std::span<const float> cells_;
    Size size_;
    const GaussianWeights& weights_;
    Boundary boundary_;
    AddRow add_row_;
    std::vector<float> padded_;  // a row with the radius on both sides
    std::vector<std::vector<float>> row_sums_;
};

}  // namespace

void gaussian_blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                         const GaussianWeights& weights, Boundary boundary, int threads) {
    parallel_rows(threads, size.rows, [&](int first, int last) {
        Passes(cells, size, weights, boundary).blur(first, last, blurred.data());
    });
}

}  // namespace camber
