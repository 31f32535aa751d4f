#include "analysis/scaling/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace camber::scaling {

namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(Column& from, double factor, const Column& what) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

// x of R x = z for an upper triangular R.
Column back_substituted(const std::vector<Column>& r, Column z) {
    for (std::size_t j = z.size(); j-- > 0;) {
        for (std::size_t k = j + 1; k < z.size(); ++k) z[j] -= r[j][k] * z[k];
        z[j] /= r[j][j];
    }
    return z;
}

void check_lengths(std::span<const Column> columns, std::span<const double> y,
                   std::span<const double> weights) {
    const bool weights_fit = weights.empty() || weights.size() == y.size();
    if (columns.empty() || y.size() < columns.size() || !weights_fit ||
        std::ranges::any_of(columns, [&](const Column& c) { return c.size() != y.size(); }))
        throw std::invalid_argument("least squares: lengths of columns, data and weights differ");
    if (std::ranges::any_of(weights, [](double w) { return !(w > 0 && std::isfinite(w)); }))
        throw std::invalid_argument("least squares: a weight is not a number above 0");
}

}  // namespace

// Modified Gram-Schmidt with the data as a last column: as stable as Householder's
// transformations (Bjorck 1967), and without the squared condition of the normal equations.
LinearFit least_squares(std::span<const std::vector<double>> columns, std::span<const double> y,
                        std::span<const double> weights) {
    check_lengths(columns, y, weights);
    const std::size_t n = y.size();
    const std::size_t m = columns.size();
    std::vector<Column> q(columns.begin(), columns.end());
    Column rest(y.begin(), y.end());
    for (std::size_t i = 0; i < n && !weights.empty(); ++i) {
        const double root = std::sqrt(weights[i]);
        for (Column& column : q) column[i] *= root;
        rest[i] *= root;
    }

    std::vector<Column> r(m, Column(m, 0.0));
    Column z(m, 0.0);
    for (std::size_t j = 0; j < m; ++j) {
        double original = 0;
        for (std::size_t k = 0; k < j; ++k) original = std::hypot(original, r[k][j]);
        const double length = std::sqrt(dot(q[j], q[j]));
        original = std::hypot(original, length);
        constexpr double dependent = 1e-12;
        if (!(length > dependent * original))
            throw std::invalid_argument("least squares: the columns depend on each other");
        r[j][j] = length;
        for (double& value : q[j]) value /= length;
        for (std::size_t k = j + 1; k < m; ++k) {
            r[j][k] = dot(q[j], q[k]);
            subtract(q[k], r[j][k], q[j]);
        }
        z[j] = dot(q[j], rest);
        subtract(rest, z[j], q[j]);
    }

    LinearFit fit;
    fit.coefficients = back_substituted(r, z);
    for (std::size_t i = 0; i < n; ++i) {
        double residual = y[i];
        for (std::size_t j = 0; j < m; ++j) residual -= fit.coefficients[j] * columns[j][i];
        fit.residuals.push_back(residual);
        fit.max_abs_residual = std::max(fit.max_abs_residual, std::abs(residual));
    }
    if (n == m) return fit;

    // Covariance = variance (R^T R)^-1; its diagonal is the squared length of the rows of R^-1.
    const double variance = dot(rest, rest) / static_cast<double>(n - m);
    fit.standard_errors.assign(m, 0.0);
    for (std::size_t column = 0; column < m; ++column) {
        Column unit(m, 0.0);
        unit[column] = 1;
        const Column inverse = back_substituted(r, unit);
        for (std::size_t j = 0; j < m; ++j)
            fit.standard_errors[j] = std::hypot(fit.standard_errors[j], inverse[j]);
    }
    for (double& error : fit.standard_errors) error *= std::sqrt(variance);
    return fit;
}

}  // namespace camber::scaling
