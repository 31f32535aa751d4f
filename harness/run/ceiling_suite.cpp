#include "harness/run/ceiling_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cuda/ceiling_kernels.hpp"
#include "harness/cuda/stream.hpp"

namespace camber {

namespace {

using cuda::Arithmetic;
using cuda::Chain;
using cuda::Traffic;

constexpr std::size_t smallest_set = std::size_t{256} << 10;
constexpr std::size_t largest_set = std::size_t{4} << 30;
constexpr std::size_t verified_set = std::size_t{64} << 20;

constexpr double sample_seconds = 2e-3;  // the events' own microseconds are a few thousandths of it
constexpr double shortest_sample = 1.5e-3;
constexpr double warm_up_seconds = 0.3;  // an idle GPU takes that long to raise its clocks
constexpr unsigned most_repeats = 1u << 24;
constexpr unsigned most_waves = 1u << 16;  // of blocks, whose numbers an int must hold

constexpr std::size_t small_set = std::size_t{1} << 20;  // in L2 on all devices
constexpr std::size_t l1_chain = std::size_t{16} << 10;
// Far outside of L2, and within what the tables of pages that L2 keeps reach.
constexpr std::size_t most_chain = std::size_t{256} << 20;

// Enqueues a piece of work `repeats` times over and returns how much it was.
using Work = std::function<double(unsigned repeats)>;

class Meter {
  public:
    Meter(Queue& queue, const DeviceInfo& device, int samples_per_figure)
        : queue_(queue),
          samples_per_figure_(samples_per_figure),
          arena_size_(
              std::max(smallest_set,
                       std::bit_floor(std::min(largest_set, queue.limits().available_memory / 4)))),
          sink_bytes_(cuda::sink_bytes(device.sm_count)),
          arena_(queue, arena_size_),
          sink_(queue, sink_bytes_),
          target_{static_cast<cuda::Stream&>(queue).native(), device.sm_count, sink_.get()} {
        queue_.set_label("the kernels that measure the device's limits");
    }

    void warm_up() {
        fill();
        for (double seconds = 0; seconds < warm_up_seconds;)
            seconds += queue_.time([&] {
                for (int i = 0; i < 4; ++i) traffic(Traffic::copy, arena_size_, 1);
            });
    }

    void verify() {
        const std::size_t bytes = std::min(verified_set, arena_size_);
        verify_copy(bytes);
        verify_triad(bytes);
        verify_read(bytes);
        verify_descents(bytes);
        verify_pieces(bytes);
    }

    CeilingCurve curve(Traffic kind) {
        fill();
        CeilingCurve points;
        for (std::size_t bytes = smallest_set; bytes <= arena_size_; bytes *= 2) {
            double best = rate([&](unsigned repeats) { return traffic(kind, bytes, repeats); });
            // From DRAM the runtime's own copy is a few per cent ahead of the kernel.
            if (kind == Traffic::copy) best = std::max(best, runtime_copy_rate(bytes));
            points.push_back({static_cast<std::int64_t>(bytes), best});
        }
        return points;
    }

    // Nothing where the memory is too small for it.
    std::optional<double> descending_rate() {
        if (cuda::descended_bytes(arena_size_) == 0) return std::nullopt;
        fill();
        return rate([&](unsigned repeats) {
            return cuda::enqueue_descents(target_, arena_.get(), arena_size_, repeats);
        });
    }

    void measure_loaded_memory(Ceilings& suite) {
        if (cuda::copied_in_pieces(arena_size_) == 0) return;
        fill();
        const auto pieces_rate = [&](bool copies, const cuda::Pieces& pieces) {
            return rate([&](unsigned repeats) {
                return cuda::enqueue_pieces(target_, copies, arena_.get(), arena_size_, pieces,
                                            repeats);
            });
        };
        const cuda::Pieces alone{.of_block = 8, .places = 1};
        const cuda::Pieces among_4{.of_block = 8, .places = 4};
        suite.reads_by_1_block_bytes_per_second = pieces_rate(false, alone);
        suite.reads_by_4_blocks_bytes_per_second = pieces_rate(false, among_4);
        suite.copies_by_1_block_bytes_per_second = pieces_rate(true, alone);
        suite.copies_by_4_blocks_bytes_per_second = pieces_rate(true, among_4);
        suite.copies_in_32_pieces_bytes_per_second =
            pieces_rate(true, {.of_block = cuda::most_pieces, .places = 4});
    }

    double shared_rate() {
        return rate([&](unsigned repeats) { return cuda::enqueue_shared_reads(target_, repeats); });
    }

    double l1_rate() {
        fill();
        return rate([&](unsigned repeats) {
            return cuda::enqueue_l1_reads(target_, arena_.get(), repeats);
        });
    }

    double arithmetic_rate(Arithmetic kind) {
        return rate(
            [&](unsigned repeats) { return cuda::enqueue_arithmetic(target_, kind, repeats); });
    }

    double launch_seconds() {
        return 1 / rate([&](unsigned repeats) {
                   for (unsigned i = 0; i < repeats; ++i) cuda::enqueue_empty_kernel(target_);
                   return static_cast<double>(repeats);
               });
    }

    // Kernels of one thread each, which takes several times as long as the host needs to submit
    // one: what they take beyond twice the work in half as many is what a kernel takes to begin
    // and to end.
    double stream_gap_seconds(double launch, double arithmetic_latency) {
        constexpr double times_a_launch = 3;
        const double links = cuda::enqueue_links(target_, Chain::arithmetic, nullptr, 0, 0, 1);
        const auto loops = static_cast<unsigned>(
            std::ceil(times_a_launch * launch / (links * arithmetic_latency)));
        const auto seconds = [&](unsigned of_kernel) {
            return 1 / rate([&](unsigned repeats) {
                       for (unsigned i = 0; i < repeats; ++i)
                           cuda::enqueue_links(target_, Chain::arithmetic, nullptr, 0, 0,
                                               of_kernel);
                       return static_cast<double>(repeats);
                   });
        };
        return std::max(0.0, 2 * seconds(loops) - seconds(2 * loops));
    }

    double graph_node_seconds() {
        constexpr int nodes = 1000;
        const cuda::EmptyKernelGraph graph(target_, nodes);
        return 1 / rate([&](unsigned repeats) {
                   for (unsigned i = 0; i < repeats; ++i) graph.enqueue();
                   return static_cast<double>(nodes) * repeats;
               });
    }

    // A link of a chain through that many bytes. Each launch goes on where the one before ended:
    // from the start again it would find its links in L2.
    double chain_seconds(Chain kind, std::size_t bytes) {
        if (bytes > 0) cuda::enqueue_chain(target_, arena_.get(), bytes);
        std::uint64_t followed = 0;
        return 1 / rate([&](unsigned repeats) {
                   const double links =
                       cuda::enqueue_links(target_, kind, arena_.get(), bytes, followed, repeats);
                   followed += static_cast<std::uint64_t>(links);
                   return links;
               });
    }

    double last_of_8_seconds(std::size_t bytes) {
        cuda::enqueue_chain(target_, arena_.get(), bytes);
        std::uint64_t followed = 0;
        return 1 / rate([&](unsigned repeats) {
                   const double links = cuda::enqueue_links_of_lanes(target_, arena_.get(), bytes,
                                                                     followed, repeats);
                   followed += static_cast<std::uint64_t>(links);
                   return links;
               });
    }

    double barrier_seconds() {
        return 1 / rate([&](unsigned repeats) { return cuda::enqueue_barriers(target_, repeats); });
    }

    void measure_clusters(Ceilings& suite) {
        if (!cuda::has_clusters()) return;
        suite.cluster_barrier_seconds = 1 / rate([&](unsigned repeats) {
                                            return cuda::enqueue_cluster_barriers(target_, repeats);
                                        });
        suite.distributed_latency_seconds =
            1 / rate([&](unsigned repeats) {
                return cuda::enqueue_distributed_links(target_, repeats);
            });
        suite.places_in_clusters_of_4 = cuda::share_of_places(target_, 4);
        suite.places_in_clusters_of_8 = cuda::share_of_places(target_, 8);
    }

    double turnover_seconds() {
        return 1 / rate([&](unsigned repeats) {
                   return cuda::enqueue_turnovers(target_, arena_.get(), small_set,
                                                  std::min(repeats, most_waves));
               });
    }

    double l1_request_rate() {
        return rate([&](unsigned repeats) {
            return cuda::enqueue_l1_requests(target_, arena_.get(), repeats);
        });
    }

    // Both in a quarter of L2, as far as lines are 2^n.
    void measure_l2_requests(std::int64_t l2_bytes, Ceilings& suite) {
        const std::size_t quarter =
            std::bit_floor(std::max(static_cast<std::size_t>(l2_bytes) / 4, smallest_set));
        const std::size_t bytes = std::min(quarter, arena_size_);
        suite.l2_requests_per_second = rate([&](unsigned repeats) {
            return cuda::enqueue_l2_requests(target_, arena_.get(), bytes, repeats);
        });
        suite.l2_stores_per_second = rate([&](unsigned repeats) {
            return cuda::enqueue_l2_stores(target_, arena_.get(), bytes, repeats);
        });
    }

    double constant_load_rate() {
        return rate(
            [&](unsigned repeats) { return cuda::enqueue_constant_loads(target_, repeats); });
    }

    double texel_rate(bool linear) {
        return rate([&](unsigned repeats) {
            return cuda::enqueue_fetches(target_, arena_.get(), linear, repeats);
        });
    }

    double shared_atomic_rate() {
        return rate(
            [&](unsigned repeats) { return cuda::enqueue_shared_atomics(target_, repeats); });
    }

    double global_atomic_rate() {
        return rate([&](unsigned repeats) {
            return cuda::enqueue_global_atomics(target_, arena_.get(), small_set, repeats);
        });
    }

    std::size_t largest_chain() const { return std::min(arena_size_, most_chain); }

  private:
    double traffic(Traffic kind, std::size_t bytes, unsigned passes) {
        return cuda::enqueue_traffic(target_, kind, arena_.get(), bytes, passes);
    }

    double runtime_copy_rate(std::size_t bytes) {
        const std::size_t half = bytes / 2;
        auto* arena = static_cast<std::byte*>(arena_.get());
        return rate([&](unsigned repeats) {
            for (unsigned i = 0; i < repeats; ++i) queue_.copy(arena + half, arena, half);
            return 2.0 * static_cast<double>(half) * repeats;
        });
    }

    void fill() { cuda::enqueue_noise(target_, arena_.get(), arena_size_); }

    double seconds_of(const Work& work, unsigned repeats, double& amount) {
        return queue_.time([&] { amount = work(repeats); });
    }

    // Work per second: the median over samples whose length in repeats is found first.
    double rate(const Work& work) {
        check_stop();
        double amount = 0;
        unsigned repeats = 1;
        seconds_of(work, repeats, amount);  // the first launch also loads the kernel
        for (double seconds = seconds_of(work, repeats, amount);
             seconds < shortest_sample && repeats < most_repeats;
             seconds = seconds_of(work, repeats, amount)) {
            // A step at a time: what a short sample says about a long one is mostly overhead.
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

    std::vector<std::uint32_t> words_of(const void* memory, std::size_t bytes) {
        std::vector<std::uint32_t> words(bytes / sizeof(std::uint32_t));
        queue_.download(words.data(), bytes, memory, bytes, {bytes, 1});
        return words;
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

    void verify_copy(std::size_t bytes) {
        fill();
        traffic(Traffic::copy, bytes, 1);
        const std::size_t length = cuda::array_bytes(Traffic::copy, bytes);
        const auto* arena = static_cast<const std::byte*>(arena_.get());
        const auto words = words_of(arena + length, length);
        for (std::size_t i = 0; i < words.size(); ++i) expect("copy", words[i], noise(i), i);
    }

    void verify_triad(std::size_t bytes) {
        fill();
        traffic(Traffic::triad, bytes, 1);
        const auto words = words_of(arena_.get(), cuda::array_bytes(Traffic::triad, bytes));
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto left = std::bit_cast<float>(noise(i + words.size()));
            const auto right = std::bit_cast<float>(noise(i + 2 * words.size()));
            const float sum = std::fma(cuda::triad_factor, right, left);
            expect("triad", words[i], std::bit_cast<std::uint32_t>(sum), i);
        }
    }

    void verify_read(std::size_t bytes) {
        fill();
        const ByteArea sink{sink_.get(), sink_bytes_, 1, sink_bytes_};
        queue_.fill_bytes({&sink, 1}, std::byte{0});
        traffic(Traffic::read, bytes, 1);
        std::uint32_t all = 0;
        for (const std::uint32_t word : words_of(sink_.get(), sink_bytes_)) all ^= word;
        std::uint32_t expected = 0;
        const std::size_t words = cuda::array_bytes(Traffic::read, bytes) / sizeof(std::uint32_t);
        for (std::size_t i = 0; i < words; ++i) expected ^= noise(i);
        expect("read", all, expected, 0);
    }

    void verify_descents(std::size_t bytes) {
        fill();
        cuda::enqueue_descents(target_, arena_.get(), bytes, 1);
        const std::size_t length = cuda::descended_bytes(bytes);
        const auto words = words_of(static_cast<const std::byte*>(arena_.get()) + length, length);
        for (std::size_t i = 0; i < words.size(); ++i) expect("descending", words[i], noise(i), i);
    }

    void verify_pieces(std::size_t bytes) {
        const std::size_t length = cuda::copied_in_pieces(bytes);
        for (const unsigned pieces : {8u, cuda::most_pieces}) {
            fill();
            cuda::enqueue_pieces(target_, true, arena_.get(), bytes,
                                 {.of_block = pieces, .places = 4}, 1);
            const auto words =
                words_of(static_cast<const std::byte*>(arena_.get()) + length, length);
            for (std::size_t i = 0; i < words.size(); ++i) expect("pieces", words[i], noise(i), i);
        }
    }

    static std::uint32_t noise(std::size_t index) {
        return cuda::noise_word(static_cast<std::uint32_t>(index));
    }

    Queue& queue_;
    int samples_per_figure_;
    std::size_t arena_size_;  // bytes
    std::size_t sink_bytes_;
    Memory arena_;
    Memory sink_;
    cuda::CeilingTarget target_;
};

// The highest point of the curves where the working set fits L2 well but is not so small that many
// multiprocessors read the same lines at once: the chip merges such requests before they reach L2,
// which looked like 24 TB/s on an H200 at 512 KiB.
double l2_rate(const Ceilings& suite, std::int64_t l2_bytes) {
    const std::int64_t largest = std::max<std::int64_t>(l2_bytes / 2, smallest_set);
    double highest = 0;
    for (const CeilingCurve* curve : {&suite.copy, &suite.read, &suite.write, &suite.triad})
        for (const CeilingCurvePoint& point : *curve)
            if (point.working_set_bytes >= l2_bytes / 8 && point.working_set_bytes <= largest)
                highest = std::max(highest, point.bytes_per_second);
    return highest;
}

void measure(Meter& meter, const DeviceInfo& device, Ceilings& suite) {
    suite.copy = meter.curve(Traffic::copy);
    suite.read = meter.curve(Traffic::read);
    suite.write = meter.curve(Traffic::write);
    suite.triad = meter.curve(Traffic::triad);
    suite.descending_bytes_per_second = meter.descending_rate();
    meter.measure_loaded_memory(suite);
    suite.l2_bytes_per_second = l2_rate(suite, device.l2_bytes);
    suite.shared_bytes_per_second = meter.shared_rate();
    suite.l1_bytes_per_second = meter.l1_rate();
    suite.fp32_flops_per_second = meter.arithmetic_rate(Arithmetic::fp32_fma);
    suite.fp64_flops_per_second = meter.arithmetic_rate(Arithmetic::fp64_fma);
    suite.int32_adds_per_second = meter.arithmetic_rate(Arithmetic::int32_add);
    suite.int32_multiply_adds_per_second = meter.arithmetic_rate(Arithmetic::int32_multiply_add);
    suite.lop3_operations_per_second = meter.arithmetic_rate(Arithmetic::lop3);
    suite.launch_seconds = meter.launch_seconds();
    suite.graph_node_seconds = meter.graph_node_seconds();
    suite.shared_latency_seconds = meter.chain_seconds(Chain::shared, 0);
    suite.l1_latency_seconds = meter.chain_seconds(Chain::through_l1, l1_chain);
    suite.l2_latency_seconds = meter.chain_seconds(Chain::past_l1, small_set);
    suite.dram_latency_seconds = meter.chain_seconds(Chain::past_l1, meter.largest_chain());
    suite.l2_last_of_8_seconds = meter.last_of_8_seconds(small_set);
    suite.dram_last_of_8_seconds = meter.last_of_8_seconds(meter.largest_chain());
    suite.arithmetic_latency_seconds = meter.chain_seconds(Chain::arithmetic, 0);
    suite.stream_gap_seconds =
        meter.stream_gap_seconds(*suite.launch_seconds, *suite.arithmetic_latency_seconds);
    suite.barrier_seconds = meter.barrier_seconds();
    meter.measure_clusters(suite);
    suite.block_turnover_seconds = meter.turnover_seconds();
    suite.l1_requests_per_second = meter.l1_request_rate();
    meter.measure_l2_requests(device.l2_bytes, suite);
    suite.constant_loads_per_second = meter.constant_load_rate();
    suite.texels_per_second = meter.texel_rate(false);
    suite.linear_texels_per_second = meter.texel_rate(true);
    suite.shared_atomics_per_second = meter.shared_atomic_rate();
    suite.global_atomics_per_second = meter.global_atomic_rate();
}

}  // namespace

Ceilings measure_ceiling_suite(Queue& queue, const DeviceInfo& device, int samples_per_figure) {
    Meter meter(queue, device, samples_per_figure);
    meter.verify();
    meter.warm_up();
    Ceilings suite;
    try {
        measure(meter, device, suite);
    } catch (const Stopped&) {
    }
    return suite;
}

}  // namespace camber
