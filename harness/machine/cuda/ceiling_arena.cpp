#include "harness/machine/cuda/ceiling_arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"

namespace camber::cuda {
namespace {

constexpr std::size_t largest_set = std::size_t{4} << 30;
constexpr std::size_t verified_set = std::size_t{64} << 20;

constexpr double sample_seconds = 2e-3;  // event overhead (microseconds) is a few thousandths of it
constexpr double shortest_sample = 1.5e-3;
constexpr unsigned most_repeats = 1u << 24;

std::uint32_t noise(std::size_t index) {
    return noise_word(static_cast<std::uint32_t>(index));
}

void expect(const char* kernel, std::uint32_t got, std::uint32_t expected, std::size_t index) {
    if (got != expected)
        throw Error(ExitCode::wrong_result,
                    fmt::format("the {} kernel of camber ceilings left {:#x} at word {} where "
                                "{:#x} is right: its figures would be worthless; run it under "
                                "compute-sanitizer",
                                kernel, got, index, expected),
                    Remedy::another_device);
}

}  // namespace

CeilingArena::CeilingArena(Queue& queue, const DeviceInfo& device, int samples_per_figure)
    : queue_(queue),
      samples_per_figure_(samples_per_figure),
      size_(std::max(smallest_set,
                     std::bit_floor(std::min(largest_set, queue.limits().available_memory / 4)))),
      sink_bytes_(sink_bytes(device.sm_count)),
      memory_(queue, size_),
      sink_(queue, sink_bytes_),
      target_{static_cast<Stream&>(queue).native(), device.sm_count, sink_.get()} {
    queue_.set_label("the kernels that measure the device's limits");
}

void CeilingArena::fill() {
    enqueue_noise(target_, memory_.get(), size_);
}

double CeilingArena::time(const std::function<void()>& work) {
    return queue_.time(work);
}

double CeilingArena::traffic(Traffic kind, std::size_t bytes, unsigned passes) {
    return enqueue_traffic(target_, kind, memory_.get(), bytes, passes);
}

double CeilingArena::copy_rate(std::size_t bytes) {
    const std::size_t half = bytes / 2;
    auto* arena = static_cast<std::byte*>(memory_.get());
    return rate([&](unsigned repeats) {
        for (unsigned i = 0; i < repeats; ++i) queue_.copy(arena + half, arena, half);
        return 2.0 * static_cast<double>(half) * repeats;
    });
}

double CeilingArena::seconds_of(const Work& work, unsigned repeats, double& amount) {
    return queue_.time([&] { amount = work(repeats); });
}

double CeilingArena::rate(const Work& work) {
    check_stop();
    double amount = 0;
    unsigned repeats = 1;
    seconds_of(work, repeats, amount);  // the first launch also loads the kernel
    for (double seconds = seconds_of(work, repeats, amount);
         seconds < shortest_sample && repeats < most_repeats;
         seconds = seconds_of(work, repeats, amount)) {
        // Increases the repeats stepwise, because a short sample consists mostly of overhead.
        const double factor = std::clamp(sample_seconds / seconds, 1.25, 64.0);
        repeats =
            static_cast<unsigned>(std::min<double>(most_repeats, std::ceil(repeats * factor)));
    }
    std::vector<double> rates;
    for (int sample = 0; sample < samples_per_figure_; ++sample) {
        const double seconds = seconds_of(work, repeats, amount);
        rates.push_back(amount / seconds);
    }
    return median(rates);
}

std::vector<std::uint32_t> CeilingArena::words_of(const void* memory, std::size_t bytes) {
    std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
    queue_.download(words.data(), bytes, memory, bytes, {bytes, 1});
    return words;
}

void CeilingArena::verify_copy(std::size_t bytes) {
    fill();
    traffic(Traffic::copy, bytes, 1);
    const std::size_t length = array_bytes(Traffic::copy, bytes);
    const auto* arena = static_cast<const std::byte*>(memory_.get());
    const auto words = words_of(arena + length, length);
    for (std::size_t i = 0; i < words.size(); ++i) expect("copy", words[i], noise(i), i);
}

void CeilingArena::verify_triad(std::size_t bytes) {
    fill();
    traffic(Traffic::triad, bytes, 1);
    const auto words = words_of(memory_.get(), array_bytes(Traffic::triad, bytes));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto left = std::bit_cast<float>(noise(i + words.size()));
        const auto right = std::bit_cast<float>(noise(i + 2 * words.size()));
        const float sum = std::fma(triad_factor, right, left);
        expect("triad", words[i], std::bit_cast<std::uint32_t>(sum), i);
    }
}

void CeilingArena::verify_read(std::size_t bytes) {
    fill();
    constexpr std::byte zero{0};
    queue_.fill(sink_.get(), sink_bytes_, {&zero, 1});
    traffic(Traffic::read, bytes, 1);
    std::uint32_t all = 0;
    for (const std::uint32_t word : words_of(sink_.get(), sink_bytes_)) all ^= word;
    std::uint32_t expected = 0;
    const std::size_t words = array_bytes(Traffic::read, bytes) / sizeof(std::uint32_t);
    for (std::size_t i = 0; i < words; ++i) expected ^= noise(i);
    expect("read", all, expected, 0);
}

void CeilingArena::verify_descents(std::size_t bytes) {
    fill();
    enqueue_descents(target_, memory_.get(), bytes, 1);
    const std::size_t length = descended_bytes(bytes);
    const auto words = words_of(static_cast<const std::byte*>(memory_.get()) + length, length);
    for (std::size_t i = 0; i < words.size(); ++i) expect("descending", words[i], noise(i), i);
}

void CeilingArena::verify_pieces(std::size_t bytes) {
    const std::size_t length = copied_in_pieces(bytes);
    for (const unsigned pieces : {8u, most_pieces}) {
        fill();
        enqueue_pieces(target_, true, memory_.get(), bytes, {.of_block = pieces, .places = 4}, 1);
        const auto words = words_of(static_cast<const std::byte*>(memory_.get()) + length, length);
        for (std::size_t i = 0; i < words.size(); ++i) expect("pieces", words[i], noise(i), i);
    }
}

void CeilingArena::verify() {
    const std::size_t bytes = std::min(verified_set, size_);
    verify_copy(bytes);
    verify_triad(bytes);
    verify_read(bytes);
    verify_descents(bytes);
    verify_pieces(bytes);
}

}  // namespace camber::cuda
