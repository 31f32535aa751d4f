#include "analysis/time/curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace camber {

double largest_of(double values) {
    // Values for 1, 2, 4, ... 512 samples; in between, growth per doubling is nearly constant.
    constexpr std::array of_powers{0.0,    0.5642, 1.0294, 1.4236, 1.7660,
                                   2.0697, 2.3437, 2.5946, 2.8269, 3.0439};
    const double power = std::log2(std::max(1.0, values));
    const auto below = std::min(static_cast<std::size_t>(power), of_powers.size() - 2);
    return of_powers[below] +
           (of_powers[below + 1] - of_powers[below]) * (power - static_cast<double>(below));
}

namespace {

constexpr double pieces_of_few = 8;
constexpr double pieces_of_many = 32;
constexpr double most_use = 0.98;
constexpr double block_bytes = 256 * 8;  // read by a block of the ceiling kernels

struct Measured {
    double turn = 0;  // seconds that a block occupies its slot
    double growth = 0;
};

Measured measured(double rate, double places, double bytes, double all, int sm_count) {
    return {places * sm_count * bytes / rate, LoadedMemory::growth(rate / all)};
}

double slope(const Measured& idle, const Measured& busy) {
    return busy.growth > idle.growth
               ? std::max(0.0, (busy.turn - idle.turn) / (busy.growth - idle.growth))
               : 0;
}

}  // namespace

double LoadedMemory::growth(double use) {
    const double u = std::clamp(use, 0.0, most_use);
    return u / std::sqrt(1 - u);
}

double LoadedMemory::delay(double written_share, double pieces) const {
    const double of_8 = reads_ + (copies_ - reads_) * std::clamp(2 * written_share, 0.0, 1.0);
    return of_8 * std::max(0.0, 1 + further_ * (largest_of(pieces) - largest_of(pieces_of_few)));
}

std::optional<LoadedMemory> loaded_memory(const Ceilings& ceilings, int sm_count, double spread) {
    const Ceilings& c = ceilings;
    if (!c.reads_by_1_block_bytes_per_second || !c.reads_by_4_blocks_bytes_per_second ||
        !c.copies_by_1_block_bytes_per_second || !c.copies_by_4_blocks_bytes_per_second ||
        !c.copies_in_32_pieces_bytes_per_second || c.read.empty() || c.copy.empty())
        return std::nullopt;
    const auto reads = [&](double rate, double places) {
        return measured(rate, places, block_bytes, c.read.back().bytes_per_second, sm_count);
    };
    const auto copies = [&](double rate, double places) {
        return measured(rate, places, 2 * block_bytes, c.copy.back().bytes_per_second, sm_count);
    };
    const double of_reads = slope(reads(*c.reads_by_1_block_bytes_per_second, 1),
                                  reads(*c.reads_by_4_blocks_bytes_per_second, 4));
    const Measured alone = copies(*c.copies_by_1_block_bytes_per_second, 1);
    const double of_copies = slope(alone, copies(*c.copies_by_4_blocks_bytes_per_second, 4));
    // In idle memory.
    const double out = largest_of(pieces_of_many) - largest_of(pieces_of_few);
    const Measured in_many{alone.turn - of_copies * alone.growth + spread * out, 0};
    const double of_many = slope(in_many, copies(*c.copies_in_32_pieces_bytes_per_second, 4));
    const double further = of_copies > 0 ? std::max(0.0, (of_many / of_copies - 1) / out) : 0;
    return LoadedMemory(of_reads, of_copies, further);
}

}  // namespace camber
