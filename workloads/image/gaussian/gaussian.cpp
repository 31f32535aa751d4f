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
#include "workloads/image/gaussian/rule.hpp"
#include "workloads/image/image_workload.hpp"

namespace camber {

// CPU reference of the Gaussian blur: sums along rows, then along columns. It is bitwise equal to
// the rule, which adds the whole square around each cell.

// Blurs all rows of `cells` into `blurred` on `threads` CPU threads. The two must not overlap.
void gaussian_blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                         const GaussianWeights& weights, Boundary boundary, int threads);

namespace {

GaussianWeights cut_off(double sigma, int radius) {
    double exact[2 * largest_gaussian_radius + 1] = {};
    double sum = 0;
    for (int i = 0; i <= 2 * radius; ++i) {
        const double away = i - radius;
        // Divided by sigma twice: the square of a tiny sigma is 0, and 0 / 0 would be NaN.
        exact[i] = std::exp(-0.5 * (away * away / sigma / sigma));
        sum += exact[i];
    }
    GaussianWeights made{.radius = radius};
    for (int i = 0; i <= 2 * radius; ++i) made.weights[i] = static_cast<float>(exact[i] / sum);
    return made;
}

}  // namespace

GaussianWeights GaussianWeights::of(double sigma, double radius) {
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
    if (radius > 0) return cut_off(sigma, static_cast<int>(radius));
    const double usual = std::ceil(std::min(3 * sigma, 1.0 * largest_gaussian_radius));
    return cut_off(sigma, static_cast<int>(usual));
}

GaussianWeights GaussianWeights::of(const ParameterSet& set) {
    return of(set.value("sigma"), set.value("radius"));
}

namespace {

using reference_detail::wrapped;

using AddRow = void (*)(float weight, const float* row, int columns, float* sums);

// Adds `weight` times each cell of a row to the cell's sum.
[[gnu::always_inline]] inline void add_row(float weight, const float* row, int columns,
                                           float* sums) {
#pragma omp simd
    for (int c = 0; c < columns; ++c) sums[c] = fmaf(weight, row[c], sums[c]);
}

void add_row_portably(float weight, const float* row, int columns, float* sums) {
    add_row(weight, row, columns, sums);
}

// Selected by hand for the reason in workloads/image/blur/reference.cpp.
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

// Work of one thread on successive rows. `row_sums_` is a ring buffer with the row sums of the 2 *
// radius + 1 rows around the current one.
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
    std::vector<float> padded_;  // a row, extended by the radius on both sides
    std::vector<std::vector<float>> row_sums_;
};

}  // namespace

void gaussian_blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                         const GaussianWeights& weights, Boundary boundary, int threads) {
    parallel_rows(threads, size.rows, [&](int first, int last) {
        Passes(cells, size, weights, boundary).blur(first, last, blurred.data());
    });
}

namespace {

constexpr const char* gaussian_field = GaussianBlur::Image::field;

WorkloadFacts gaussian_facts() {
    return {.name = "gaussian",
            .summary = "Gaussian blur of a grey-scale image, radius 1 to 16",
            .source = "Podlozhnyuk 2007; Lowe 2004, equation 2",
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
    std::vector<BoardField> fields(ElementType) const override {
        return fields_of_rules<GaussianBlur>();
    }
    RuleNumbers numbers(const ParameterSet& set) const override {
        RuleNumbers all = set.all();
        const GaussianWeights made = GaussianWeights::of(set);
        all["radius"] = {1.0 * made.radius};
        all["weights"] = {std::begin(made.weights), std::end(made.weights)};
        return all;
    }

    State initial(const InitialConditions& conditions) const override {
        State state;
        HostField& image =
            state.fields.emplace_back(gaussian_field, ElementType::float32, conditions.size);
        fill_source_image(image.cells<float>(), conditions);
        return state;
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        const HostField& image = from.field(gaussian_field);
        gaussian_blur_image(image.cells<float>(), to.field(gaussian_field).cells<float>(),
                            image.size(), GaussianWeights::of(context.parameters), context.boundary,
                            context.threads);
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
