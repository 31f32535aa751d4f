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

template <class T>
void set_gaussian_weights(T (&weights)[9], double sigma) {
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
                           [sum](double weight) { return static_cast<T>(weight / sum); });
}
template void set_gaussian_weights(float (&weights)[9], double sigma);
template void set_gaussian_weights(double (&weights)[9], double sigma);

void set_gaussian_weights(float (&weights)[9], const ParameterSet& set, std::string_view name) {
    const double sigma = set.value(name);
    if (!(sigma > 0))
        throw Error(ExitCode::usage,
                    fmt::format("parameter {} is {}, but the width of a Gaussian must be above 0",
                                name, sigma),
                    Remedy::parameter, fmt::format("{}=1.5", name));
    set_gaussian_weights(weights, sigma);
}

template <class T>
typename BlurOf<T>::Parameters BlurOf<T>::parameters(const ParameterSet& set) {
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
        parameters.weights[i] = static_cast<T>(weights[i]);
    }
    return parameters;
}
template struct BlurOf<float>;
template struct BlurOf<double>;

// The largest weight's row, and its column divided by that weight, so that weights which are powers
// of two have exact factors.
BlurSeparable::Parameters BlurSeparable::parameters(const ParameterSet& set) {
    const Blur::Parameters all = Blur::parameters(set);
    const float(&weights)[9] = all.weights;
    const auto by_size = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const auto largest = std::max_element(weights, weights + 9, by_size) - weights;
    if (weights[largest] == 0) return {};
    Parameters factors;
    for (int i = 0; i < 3; ++i) {
        factors.across[i] = weights[largest / 3 * 3 + i];
        factors.down[i] = weights[3 * i + largest % 3] / weights[largest];
    }
    constexpr double rounding = 1e-6;  // of products of floats
    for (int i = 0; i < 9; ++i) {
        const double product = static_cast<double>(factors.across[i % 3]) * factors.down[i / 3];
        if (std::abs(product - weights[i]) > rounding * std::abs(weights[largest]))
            throw Error(ExitCode::usage,
                        fmt::format("weight {} is {}, but rule separable needs weights that are "
                                    "products of a row and a column, here {}: change the weights, "
                                    "or leave out the rule",
                                    i, weights[i], static_cast<float>(product)));
    }
    return factors;
}

namespace {

// Weights are nine, row by row, or SeparableWeights.
template <class T, class Weights>
using RowKernel = void (*)(const T* above, const T* here, const T* below, const Weights& weights,
                           int columns, T* blurred);

// Blurs all cells of a row except the first and the last.
template <class T, class Weights>
[[gnu::always_inline]] inline void blur_interior(const T* above, const T* here, const T* below,
                                                 const Weights& weights, int columns, T* blurred) {
#pragma omp simd
    for (int c = 1; c < columns - 1; ++c) {
        const T cells[9] = {above[c - 1], above[c], above[c + 1],  //
                            here[c - 1],  here[c],  here[c + 1],   //
                            below[c - 1], below[c], below[c + 1]};
        blurred[c] = weighted_sum(weights, cells);
    }
}

template <class T, class Weights>
void blur_interior_portably(const T* above, const T* here, const T* below, const Weights& weights,
                            int columns, T* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}

// Baseline x86-64 has no fused multiply-add: there, each one is a call of the C library, which
// rounds correctly, too. The version is selected by hand instead of by target_clones, whose
// resolvers run before sanitizers are ready.
#if defined(__x86_64__)
template <class T, class Weights>
[[gnu::target("avx512f")]] void blur_interior_avx512(const T* above, const T* here, const T* below,
                                                     const Weights& weights, int columns,
                                                     T* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}
template <class T, class Weights>
[[gnu::target("avx2,fma")]] void blur_interior_avx2(const T* above, const T* here, const T* below,
                                                    const Weights& weights, int columns,
                                                    T* blurred) {
    blur_interior(above, here, below, weights, columns, blurred);
}
template <class T, class Weights>
RowKernel<T, Weights> best_row_kernel() {
    if (__builtin_cpu_supports("avx512f")) return blur_interior_avx512<T, Weights>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return blur_interior_avx2<T, Weights>;
    return blur_interior_portably<T, Weights>;
}
#else
template <class T, class Weights>
RowKernel<T, Weights> best_row_kernel() {
    return blur_interior_portably<T, Weights>;
}
#endif

}  // namespace

template <class T>
BlurSourceOf<T>::BlurSourceOf(std::span<const T> cells, Size size, Boundary boundary)
    : cells_(cells), size_(size), boundary_(boundary) {
    if (boundary == Boundary::dead)
        outside_row_.assign(static_cast<std::size_t>(size.columns), BlurOf<T>::Image::outside());
}

template <class T>
const T* BlurSourceOf<T>::row(int row) const {
    if (boundary_ == Boundary::torus)
        row = reference_detail::wrapped(row, size_.rows);
    else if (row < 0 || row >= size_.rows)
        return outside_row_.data();
    return cells_.data() + static_cast<std::ptrdiff_t>(row) * size_.columns;
}

template <class T>
template <class Weights>
T BlurSourceOf<T>::blurred_at_edge(const T* const (&rows)[3], int column,
                                   const Weights& weights) const {
    T cells[9];
    for (int i = 0; i < 9; ++i) {
        int c = column + i % 3 - 1;
        if (boundary_ == Boundary::torus) c = reference_detail::wrapped(c, size_.columns);
        cells[i] = c < 0 || c >= size_.columns ? BlurOf<T>::Image::outside() : rows[i / 3][c];
    }
    return weighted_sum(weights, cells);
}

template <class T>
template <class Weights>
void BlurSourceOf<T>::blur_row(int row, const Weights& weights, T* blurred) const {
    static const RowKernel<T, Weights> kernel = best_row_kernel<T, Weights>();
    const T* const rows[3] = {this->row(row - 1), this->row(row), this->row(row + 1)};
    blurred[0] = blurred_at_edge(rows, 0, weights);
    kernel(rows[0], rows[1], rows[2], weights, size_.columns, blurred);
    blurred[size_.columns - 1] = blurred_at_edge(rows, size_.columns - 1, weights);
}

template class BlurSourceOf<float>;
template class BlurSourceOf<double>;
template void BlurSourceOf<float>::blur_row(int, const float (&)[9], float*) const;
template void BlurSourceOf<double>::blur_row(int, const double (&)[9], double*) const;
template void BlurSourceOf<float>::blur_row(int, const SeparableWeights&, float*) const;

namespace {

template <class T, class Weights>
void blur_rows(std::span<const T> cells, std::span<T> blurred, Size size, const Weights& weights,
               Boundary boundary, int threads) {
    const BlurSourceOf<T> source(cells, size, boundary);
    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row)
            source.blur_row(row, weights,
                            blurred.data() + static_cast<std::ptrdiff_t>(row) * size.columns);
    });
}

}  // namespace

void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const float (&weights)[9], Boundary boundary, int threads) {
    blur_rows(cells, blurred, size, weights, boundary, threads);
}
void blur_image(std::span<const double> cells, std::span<double> blurred, Size size,
                const double (&weights)[9], Boundary boundary, int threads) {
    blur_rows(cells, blurred, size, weights, boundary, threads);
}
void blur_image(std::span<const float> cells, std::span<float> blurred, Size size,
                const SeparableWeights& weights, Boundary boundary, int threads) {
    blur_rows(cells, blurred, size, weights, boundary, threads);
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
