// Measurement of all ceilings of a CUDA device, except the copy bandwidth.
#include "harness/measure/ceilings/ceilings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"
#include "harness/machine/cuda/ceiling_arena.hpp"

namespace camber {

namespace {

using cuda::Arithmetic;
using cuda::Chain;
using cuda::Traffic;

using cuda::smallest_set;

constexpr double warm_up_seconds = 0.3;    // time that an idle GPU needs to raise its clocks
constexpr unsigned most_waves = 1u << 16;  // of blocks; the block index must fit an int

constexpr std::size_t small_set = std::size_t{1} << 20;  // fits L2 on all devices
constexpr std::size_t l1_chain = std::size_t{16} << 10;
// Far larger than L2, but within the reach of the page tables that L2 caches.
constexpr std::size_t most_chain = std::size_t{256} << 20;
constexpr std::size_t most_first_chain = std::size_t{8} << 20;
constexpr int first_samples = 9;

class Meter {
  public:
    explicit Meter(cuda::CeilingArena& arena) : arena_(arena) {}

    void warm_up() {
        arena_.fill();
        for (double seconds = 0; seconds < warm_up_seconds;)
            seconds += arena_.time([&] {
                for (int i = 0; i < 4; ++i) arena_.traffic(Traffic::copy, arena_.bytes(), 1);
            });
    }

    CeilingCurve curve(Traffic kind) {
        arena_.fill();
        CeilingCurve points;
        for (std::size_t bytes = smallest_set; bytes <= arena_.bytes(); bytes *= 2) {
            double best =
                arena_.rate([&](unsigned repeats) { return arena_.traffic(kind, bytes, repeats); });
            // For copies from DRAM, the runtime's copy is a few percent faster than the kernel.
            if (kind == Traffic::copy) best = std::max(best, arena_.copy_rate(bytes));
            points.push_back({static_cast<std::int64_t>(bytes), best});
        }
        return points;
    }

    // nullopt if the memory is too small for this measurement.
    std::optional<double> descending_rate() {
        if (cuda::descended_bytes(arena_.bytes()) == 0) return std::nullopt;
        arena_.fill();
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_descents(arena_.target(), arena_.get(), arena_.bytes(), repeats);
        });
    }

    void measure_loaded_memory(Ceilings& suite) {
        if (cuda::copied_in_pieces(arena_.bytes()) == 0) return;
        arena_.fill();
        const auto pieces_rate = [&](bool copies, const cuda::Pieces& pieces) {
            return arena_.rate([&](unsigned repeats) {
                return cuda::enqueue_pieces(arena_.target(), copies, arena_.get(), arena_.bytes(),
                                            pieces, repeats);
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
        return arena_.rate(
            [&](unsigned repeats) { return cuda::enqueue_shared_reads(arena_.target(), repeats); });
    }

    double l1_rate() {
        arena_.fill();
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_l1_reads(arena_.target(), arena_.get(), repeats);
        });
    }

    double arithmetic_rate(Arithmetic kind) {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_arithmetic(arena_.target(), kind, repeats);
        });
    }

    double launch_seconds() {
        return 1 / arena_.rate([&](unsigned repeats) {
            for (unsigned i = 0; i < repeats; ++i) cuda::enqueue_empty_kernel(arena_.target());
            return static_cast<double>(repeats);
        });
    }

    // Start and end time of a kernel in a stream. Kernels of one thread run several times as long
    // as the host needs to submit one. The gap is the time of two kernels minus the time of one
    // kernel with twice the work.
    double stream_gap_seconds(double launch, double arithmetic_latency) {
        constexpr double times_a_launch = 3;
        const double links =
            cuda::enqueue_links(arena_.target(), Chain::arithmetic, nullptr, 0, 0, 1);
        const auto loops = static_cast<unsigned>(
            std::ceil(times_a_launch * launch / (links * arithmetic_latency)));
        const auto seconds = [&](unsigned of_kernel) {
            return 1 / arena_.rate([&](unsigned repeats) {
                for (unsigned i = 0; i < repeats; ++i)
                    cuda::enqueue_links(arena_.target(), Chain::arithmetic, nullptr, 0, 0,
                                        of_kernel);
                return static_cast<double>(repeats);
            });
        };
        return std::max(0.0, 2 * seconds(loops) - seconds(2 * loops));
    }

    double graph_node_seconds() {
        constexpr int nodes = 1000;
        const cuda::EmptyKernelGraph graph(arena_.target(), nodes);
        return 1 / arena_.rate([&](unsigned repeats) {
            for (unsigned i = 0; i < repeats; ++i) graph.enqueue();
            return static_cast<double>(nodes) * repeats;
        });
    }

    // Seconds per link of a pointer chain through `bytes` bytes.
    double chain_seconds(Chain kind, std::size_t bytes) {
        if (bytes > 0) cuda::enqueue_chain(arena_.target(), arena_.get(), bytes);
        return link_seconds([&](std::uint64_t followed, unsigned loops) {
            return cuda::enqueue_links(arena_.target(), kind, arena_.get(), bytes, followed, loops);
        });
    }

    double last_of_8_seconds(std::size_t bytes) {
        cuda::enqueue_chain(arena_.target(), arena_.get(), bytes);
        return link_seconds([&](std::uint64_t followed, unsigned loops) {
            return cuda::enqueue_links_of_lanes(arena_.target(), arena_.get(), bytes, followed,
                                                loops);
        });
    }

    double row_seconds(std::size_t bytes) {
        cuda::enqueue_chain_of_rows(arena_.target(), arena_.get(), bytes);
        return link_seconds([&](std::uint64_t followed, unsigned loops) {
            return cuda::enqueue_rows(arena_.target(), arena_.get(), bytes, followed, loops);
        });
    }

    // Median time per link if each link is followed once; repeated accesses would hit a nearer
    // cache.
    double first_seconds(std::size_t bytes, const std::function<double()>& follow) {
        std::vector<double> seconds;
        for (int sample = 0; sample < first_samples; ++sample) {
            check_stop();
            cuda::enqueue_chain(arena_.target(), arena_.get(), bytes);
            double links = 0;
            const double taken = arena_.time([&] { links = follow(); });
            seconds.push_back(taken / links);
        }
        return median(seconds);
    }

    void measure_first_latencies(std::int64_t l2_bytes, Ceilings& suite) {
        const std::size_t bytes = std::min(quarter_of_l2(l2_bytes), most_first_chain);
        suite.l2_first_latency_seconds = first_seconds(bytes, [&] {
            return cuda::enqueue_links(arena_.target(), Chain::past_l1, arena_.get(), bytes, 0,
                                       cuda::loops_through(bytes));
        });
        suite.l2_first_last_of_8_seconds = first_seconds(bytes, [&] {
            return cuda::enqueue_links_of_lanes(arena_.target(), arena_.get(), bytes, 0,
                                                cuda::loops_of_lanes_through(bytes));
        });
    }

    void measure_clusters(Ceilings& suite) {
        if (!cuda::has_clusters()) return;
        suite.cluster_barrier_seconds = 1 / arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_cluster_barriers(arena_.target(), repeats);
        });
        suite.distributed_latency_seconds = 1 / arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_distributed_links(arena_.target(), repeats);
        });
    }

    double turnover_seconds() {
        return 1 / arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_turnovers(arena_.target(), arena_.get(), small_set,
                                           std::min(repeats, most_waves));
        });
    }

    double l1_request_rate() {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_l1_requests(arena_.target(), arena_.get(), repeats);
        });
    }

    void measure_l2_requests(std::int64_t l2_bytes, Ceilings& suite) {
        const std::size_t bytes = quarter_of_l2(l2_bytes);
        suite.l2_requests_per_second = arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_l2_requests(arena_.target(), arena_.get(), bytes, repeats);
        });
        suite.l2_stores_per_second = arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_l2_stores(arena_.target(), arena_.get(), bytes, repeats);
        });
    }

    double constant_load_rate() {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_constant_loads(arena_.target(), repeats);
        });
    }

    double texel_rate(bool linear) {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_fetches(arena_.target(), arena_.get(), linear, repeats);
        });
    }

    double shared_atomic_rate() {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_shared_atomics(arena_.target(), repeats);
        });
    }

    double global_atomic_rate() {
        return arena_.rate([&](unsigned repeats) {
            return cuda::enqueue_global_atomics(arena_.target(), arena_.get(), small_set, repeats);
        });
    }

    std::size_t largest_chain() const { return std::min(arena_.bytes(), most_chain); }

  private:
    // `follow` returns the number of links that it enqueued. Each launch continues where the
    // previous one ended, because from the start its links would be in L2.
    double link_seconds(
        const std::function<double(std::uint64_t followed, unsigned loops)>& follow) {
        std::uint64_t followed = 0;
        return 1 / arena_.rate([&](unsigned repeats) {
            const double links = follow(followed, repeats);
            followed += static_cast<std::uint64_t>(links);
            return links;
        });
    }

    // Rounded down to a power of two.
    std::size_t quarter_of_l2(std::int64_t l2_bytes) const {
        const std::size_t quarter =
            std::bit_floor(std::max(static_cast<std::size_t>(l2_bytes) / 4, smallest_set));
        return std::min(quarter, arena_.bytes());
    }

    cuda::CeilingArena& arena_;
};

// Maximum of the L2 bandwidth curves over working sets that fit L2 well but are not so small that
// many SMs read the same lines at once. The chip merges such requests before they reach L2: at 512
// KiB an H200 seemed to reach 24 TB/s.
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
    suite.lop3_operations_per_second = meter.arithmetic_rate(Arithmetic::lop3);
    suite.launch_seconds = meter.launch_seconds();
    suite.graph_node_seconds = meter.graph_node_seconds();
    suite.shared_latency_seconds = meter.chain_seconds(Chain::shared, 0);
    suite.l1_latency_seconds = meter.chain_seconds(Chain::through_l1, l1_chain);
    suite.l2_latency_seconds = meter.chain_seconds(Chain::past_l1, small_set);
    suite.dram_latency_seconds = meter.chain_seconds(Chain::past_l1, meter.largest_chain());
    suite.l2_last_of_8_seconds = meter.last_of_8_seconds(small_set);
    suite.dram_last_of_8_seconds = meter.last_of_8_seconds(meter.largest_chain());
    meter.measure_first_latencies(device.l2_bytes, suite);
    suite.l2_row_latency_seconds = meter.row_seconds(small_set);
    suite.dram_row_latency_seconds = meter.row_seconds(meter.largest_chain());
    suite.arithmetic_latency_seconds = meter.chain_seconds(Chain::arithmetic, 0);
    suite.stream_gap_seconds =
        meter.stream_gap_seconds(*suite.launch_seconds, *suite.arithmetic_latency_seconds);
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
    cuda::CeilingArena arena(queue, device, samples_per_figure);
    arena.verify();
    Meter meter(arena);
    meter.warm_up();
    Ceilings suite;
    try {
        measure(meter, device, suite);
    } catch (const Stopped&) {
    }
    return suite;
}

}  // namespace camber
