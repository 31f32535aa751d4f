#include "workloads/image/blur/reference.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "harness/base/error.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/reference.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {

void set_gaussian_weights(float (&weights)[9], double sigma) {
    double exact[9];
    double sum = 0;
    for (int i = 0; i < 9; ++i) {
        const int dx = i % 3 - 1;
        const int dy = i / 3 - 1;
        // Divided by sigma twice: the square of a tiny sigma is 0, and 0 / 0 would be NaN.
        exact[i] = std::exp(-0.5 * ((dx * dx + dy * dy) / sigma / sigma));
        sum += exact[i];
    }
    std::ranges::transform(exact, weights,
                           [sum](double weight) { return static_cast<float>(weight / sum); });
}

void set_gaussian_weights(float (&weights)[9], const ParameterSet& set, std::string_view name) {
    const double sigma = set.value(name);
    if (!(sigma > 0))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} is {}, but the width of a Gaussian must be above 0",
                                name, sigma),
                    Remedy::parameter, fmt::format("{}=1.5", name));
    set_gaussian_weights(weights, sigma);
}

Blur::Parameters Blur::parameters(const ParameterSet& set) {
    Parameters parameters;
    const double sigma = set.value("sigma");
    if (sigma < 0)
        throw Error(ExitCode::usage,
                    fmt::format("parameter sigma is {}, but it must not be negative", sigma),
                    Remedy::parameter, "sigma=1.5, or 0 to use the weights");
    const auto& weights = set.values("weights");
    if (sigma > 0) {
        if (!std::ranges::equal(weights, binomial_weights))
            throw Error(ExitCode::usage,
                        "parameters sigma and weights are both given, and each sets all nine "
                        "weights: leave out one");
        set_gaussian_weights(parameters.weights, sigma);
        return parameters;
    }
    for (int i = 0; i < 9; ++i) {
        if (std::abs(weights[i]) > std::numeric_limits<float>::max())
            throw Error(ExitCode::usage,
                        fmt::format("weight {} is {}, which is beyond the range of float: choose "
                                    "weights around 1",
                                    i, weights[i]));
        parameters.weights[i] = static_cast<float>(weights[i]);
    }
    return parameters;
}

namespace {

using RowKernel = void (*)(const float* above, const float* here, const float* below,
                           const float (&weights)[9], int columns, float* blurred);

// Blurs all cells of a row except the first and the last.
[[gnu::always_inline]] inline void blur_interior(const float* above, const float* here,
                                                 const float* below, const float (&weights)[9],
                                                 int columns, float* blurred) {
#pragma omp simd
    for (int c = 1; c < columns - 1; ++c) {
        const float cells[9] = {above[c - 1], above[c], above[c + 1],  //
                                here[c - 1],  here[c],  here[c + 1],   //
                                below[c - 1], below[c], below[c + 1]};
        blurred[c] = weighted_sum(weights, cells);
    }
}

void blur_interior_portably(const float* above, const float* here, const float* below,
                            const float (&weights)[9], int columns, float* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}

// Baseline x86-64 has no fused multiply-add: there, each one is a call of the C library, which
// rounds correctly, too. The version is selected by hand instead of by target_clones, whose
// resolvers run before sanitizers are ready.
#if defined(__x86_64__)
[[gnu::target("avx512f")]] void blur_interior_avx512(const float* above, const float* here,
                                                     const float* below, const float (&weights)[9],
                                                     int columns, float* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}
[[gnu::target("avx2,fma")]] void blur_interior_avx2(const float* above, const float* here,
                                                    const float* below, const float (&weights)[9],
                                                    int columns, float* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}
RowKernel best_row_kernel() {
    if (__builtin_cpu_supports("avx512f")) return blur_interior_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return blur_interior_avx2;
    return blur_interior_portably;
}
#else
RowKernel best_row_kernel() {
    return blur_interior_portably;
}
#endif

}  // namespace

BlurSource::BlurSource(std::span<const float> cells, Size size, Boundary boundary)
    : cells_(cells), size_(size), boundary_(boundary) {
    if (boundary == Boundary::dead)
        outside_row_.assign(static_cast<std::size_t>(size.columns), Blur::Image::outside());
}

const float* BlurSource::row(int row) const {
    if (boundary_ == Boundary::torus)
        row = reference_detail::wrapped(row, size_.rows);
    else if (row < 0 || row >= size_.rows)
        return outside_row_.data();
    return cells_.data() + static_cast<std::ptrdiff_t>(row) * size_.columns;
}

float BlurSource::blurred_at_edge(const float* const (&rows)[3], int column,
                                  const float (&weights)[9]) const {
    float cells[9];
    for (int i = 0; i < 9; ++i) {
        int c = column + i % 3 - 1;
        if (boundary_ == Boundary::torus) c = reference_detail::wrapped(c, size_.columns);
        cells[i] = c < 0 || c >= size_.columns ? Blur::Image::outside() : rows[i / 3][c];
    }
    return weighted_sum(weights, cells);
}

void BlurSource::blur_row(int row, const float (&weights)[9], float* blurred) const {
    static const RowKernel kernel = best_row_kernel();
    const float* const rows[3] = {this->row(row - 1), this->row(row), this->row(row + 1)};
    blurred[0] = blurred_at_edge(rows, 0, weights);
    kernel(rows[0], rows[1], rows[2], weights, size_.columns, blurred);
    blurred[size_.columns - 1] = blurred_at_edge(rows, size_.columns - 1, weights);
}

void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const float (&weights)[9], Boundary boundary, int threads) {
    const BlurSource source(cells, size, boundary);
    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row)
            source.blur_row(row, weights,
                            blurred.data() + static_cast<std::ptrdiff_t>(row) * size.columns);
    });
}

namespace {

void blur_once(std::span<const float> image, std::span<float> blurred, Size size) {
    blur_image(image, blurred, size, binomial_weights, Boundary::dead, omp_get_num_procs());
}

}  // namespace

void fill_blurs(std::span<const float> image, Size size,
                const std::vector<std::span<float>>& blurs) {
    for (const std::span<float> blurred : blurs) {
        blur_once(image, blurred, size);
        image = blurred;
    }
}

void fill_difference_layers(std::vector<float> image, Size size,
                            const std::vector<std::span<float>>& layers) {
    std::vector<float> more_blurred(image.size());
    blur_once(image, more_blurred, size);
    for (const std::span<float> layer : layers) {
        std::swap(image, more_blurred);
        blur_once(image, more_blurred, size);
        std::ranges::transform(more_blurred, image, layer.begin(), std::minus());
    }
}

}  // namespace camber
