// Workload `gaussian`: a Gaussian blur of a grayscale image. Contains the weights, the CPU
// reference and the workload itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/state.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/core/factories.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/image/image_workload.hpp"

namespace camber {

// CPU reference of the Gaussian blur: sums along rows, then along columns. It is bitwise equal to
// the rule, which adds the whole square around each cell.

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. The two must not overlap.
template <class T>
void gaussian_blur_image(std::span<const T> cells, std::span<T> blurred, Size size,
                         const GaussianWeightsOf<T>& weights, Boundary boundary, int threads);

namespace {

template <class T>
GaussianWeightsOf<T> cut_off(double sigma, int radius) {
    double exact[2 * largest_gaussian_radius + 1] = {};
    double sum = 0;
    for (int i = 0; i <= 2 * radius; ++i) {
        const double away = i - radius;
        // Divided by sigma twice: the square of a tiny sigma is 0, and 0 / 0 would be NaN.
        exact[i] = std::exp(-0.5 * (away * away / sigma / sigma));
        sum += exact[i];
    }
    GaussianWeightsOf<T> made{.radius = radius};
    for (int i = 0; i <= 2 * radius; ++i) made.weights[i] = static_cast<T>(exact[i] / sum);
    return made;
}

}  // namespace

template <class T>
GaussianWeightsOf<T> GaussianWeightsOf<T>::of(double sigma, double radius) {
    if (!(sigma > 0))
        throw Error(
            ExitCode::usage,
            fmt::format("parameter sigma is {}, but the width of a Gaussian must be above 0",
                        sigma),
            Remedy::parameter, "sigma=1.5");
    if (!(radius >= 0 && radius <= largest_gaussian_radius) || radius != std::floor(radius))
        throw Error(ExitCode::usage,
                    fmt::format("parameter radius is {}, but it must be a whole number from 1 to "
                                "{}, or 0 for three times sigma",
                                radius, largest_gaussian_radius),
                    Remedy::parameter, "radius=5");
    if (radius > 0) return cut_off<T>(sigma, static_cast<int>(radius));
    const double usual = std::ceil(std::min(3 * sigma, 1.0 * largest_gaussian_radius));
    return cut_off<T>(sigma, static_cast<int>(usual));
}

template <class T>
GaussianWeightsOf<T> GaussianWeightsOf<T>::of(const ParameterSet& set) {
    return of(set.value("sigma"), set.value("radius"));
}
template struct GaussianWeightsOf<float>;
template struct GaussianWeightsOf<double>;

namespace {

using reference_detail::wrapped;

template <class T>
using AddRow = void (*)(T weight, const T* row, int columns, T* sums);

// Adds `weight` times each cell of a row to the cell's sum.
template <class T>
[[gnu::always_inline]] inline void add_row(T weight, const T* row, int columns, T* sums) {
#pragma omp simd
    for (int c = 0; c < columns; ++c) sums[c] = fused(weight, row[c], sums[c]);
}

template <class T>
void add_row_portably(T weight, const T* row, int columns, T* sums) {
    add_row(weight, row, columns, sums);
}

// Selected by hand for the reason in workloads/image/blur/reference.cpp.
#if defined(__x86_64__)
template <class T>
[[gnu::target("avx512f")]] void add_row_avx512(T weight, const T* row, int columns, T* sums) {
    add_row(weight, row, columns, sums);
}
template <class T>
[[gnu::target("avx2,fma")]] void add_row_avx2(T weight, const T* row, int columns, T* sums) {
    add_row(weight, row, columns, sums);
}
template <class T>
AddRow<T> best_add_row() {
    if (__builtin_cpu_supports("avx512f")) return add_row_avx512<T>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add_row_avx2<T>;
    return add_row_portably<T>;
}
#else
template <class T>
AddRow<T> best_add_row() {
    return add_row_portably<T>;
}
#endif

// Work of one thread on successive rows. `row_sums_` is a ring buffer with the row sums of the 2 *
// radius + 1 rows around the current one.
template <class T>
class Passes {
  public:
    Passes(std::span<const T> cells, Size size, const GaussianWeightsOf<T>& weights,
           Boundary boundary)
        : cells_(cells),
          size_(size),
          weights_(weights),
          boundary_(boundary),
          add_row_(best_add_row<T>()),
          padded_(static_cast<std::size_t>(size.columns + 2 * weights.radius)),
          row_sums_(static_cast<std::size_t>(2 * weights.radius + 1)) {}

    // Rows [first, last).
    void blur(int first, int last, T* blurred) {
        const int radius = weights_.radius;
        for (int row = first - radius; row < first + radius; ++row) sum_row(row);
        for (int row = first; row < last; ++row) {
            sum_row(row + radius);
            T* const sums = blurred + static_cast<std::ptrdiff_t>(row) * size_.columns;
            std::fill_n(sums, size_.columns, T(0));
            for (int d = -radius; d <= radius; ++d)
                add_row_(weights_.weights[radius + d], sums_of(row + d).data(), size_.columns,
                         sums);
        }
    }

  private:
    std::vector<T>& sums_of(int row) {
        const int count = 2 * weights_.radius + 1;
        return row_sums_[static_cast<std::size_t>(wrapped(row, count))];
    }

    void sum_row(int row) {
        std::vector<T>& sums = sums_of(row);
        sums.assign(static_cast<std::size_t>(size_.columns), T(0));
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

    std::span<const T> cells_;
    Size size_;
    const GaussianWeightsOf<T>& weights_;
    Boundary boundary_;
    AddRow<T> add_row_;
    std::vector<T> padded_;  // a row, extended by the radius on both sides
    std::vector<std::vector<T>> row_sums_;
};

}  // namespace

template <class T>
void gaussian_blur_image(std::span<const T> cells, std::span<T> blurred, Size size,
                         const GaussianWeightsOf<T>& weights, Boundary boundary, int threads) {
    parallel_rows(threads, size.rows, [&](int first, int last) {
        Passes<T>(cells, size, weights, boundary).blur(first, last, blurred.data());
    });
}

namespace {

constexpr const char* gaussian_field = GaussianBlur::Image::field;

WorkloadFacts gaussian_facts() {
    return {.name = "gaussian",
            .summary = "Gaussian blur of a grey-scale image, radius 1 to 16",
            .source = "Podlozhnyuk 2007; Lowe 2004, equation 2",
            .cell_types = {ElementType::float32, ElementType::float64},
            .parameters = {{"sigma", {1.5}, "cells", "width of the Gaussian"},
                           {"radius",
                            {0},
                            "cells",
                            "1 to 16: where it is cut off; 0: at three times sigma, rounded up, "
                            "at most 16"}},
            .written_fields = {gaussian_field},
            .stored = {.values = 1},
            .moved = {.values = 2}};
}

class GaussianWorkload final : public ImageWorkload, public HasBoardFields {
  public:
    GaussianWorkload() : ImageWorkload(gaussian_facts()) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType cell) const override {
        return with_real_type(cell,
                              []<class T>(T) { return fields_of_rules<GaussianBlurOf<T>>(); });
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        RuleNumbers all = set.all();
        const auto made = GaussianWeightsOf<double>::of(set);
        all["radius"] = {1.0 * made.radius};
        all["weights"] = {std::begin(made.weights), std::end(made.weights)};
        return all;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& image =
            state.fields.emplace_back(gaussian_field, real_cell(conditions), conditions.size);
        fill_source_image(image, conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& image = from.field(gaussian_field);
        with_real_type(image.element(), [&]<class T>(T) {
            gaussian_blur_image<T>(image.cells<T>(), to.field(gaussian_field).cells<T>(),
                                   image.size(), GaussianWeightsOf<T>::of(context.parameters),
                                   context.boundary, context.threads);
        });
    }

    // Variants with the reference's arithmetic must equal it. Others multiply on tensor cores, each
    // number in two parts: a pass omits at most 2.5 * 2^-21 of the cells' weighted mean, which is at
    // most 1 in an image, and its sums round off as much again.
    Tolerance tolerance(const Computation& computation) const override {
        if (computation.as_reference()) return {};
        const double error = 4e-6 * computation.generations;
        return {.absolute = error, .total = error};
    }

    FinalState final_state(const State& state) const override {
        return mass(state.field(gaussian_field));
    }
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        write_intensities(state.field(gaussian_field), path, run.comment);
    }
};

}  // namespace

std::unique_ptr<Workload> make_gaussian() {
    return std::make_unique<GaussianWorkload>();
}

}  // namespace camber
