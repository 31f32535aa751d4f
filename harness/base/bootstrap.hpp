// Random draws and resampled medians: what every bootstrap interval here is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace camber {

// Draws that are the same with every standard library: std::mt19937_64 is specified to the bit,
// std::gamma_distribution is not.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}

    // Uniform on the open interval (0, 1), so that its logarithm is finite.
    double uniform() { return (static_cast<double>(engine_() >> 12) + 0.5) * 0x1p-52; }

    // Uniform on 0 ... n - 1.
    std::size_t index(std::size_t n) {
        return static_cast<std::size_t>(uniform() * static_cast<double>(n));
    }

    // Beta(a, b) with a, b >= 1, as a ratio of gamma variates.
    double beta(double a, double b);

  private:
    double normal();
    double gamma(double shape);

    std::mt19937_64 engine_;
};

// The median of one bootstrap resample of sorted samples (at least one), without resampling: exact,
// and its cost does not grow with their number.
double median_of_resample(std::span<const double> sorted, Draws& draws);

}  // namespace camber
