#include <cmath>
#include <filesystem>
#include <string>

#include "analysis/time/machine.hpp"
#include "harness/record/document.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::machine_test {

TEST_CASE("a machine takes its figures from the device's limits", "[time]") {
    const Machine machine = round_machine();
    CHECK(machine.assumed.empty());
    CHECK(machine.shared_passes_per_second == 1e11);
    CHECK(machine.fp32_warps_per_second == 4e11);
    CHECK(machine.l2_loads_per_second == 50e9);
    CHECK(machine.l2_passed_on_per_second == 25e9);
    CHECK(machine.constant_warps_per_second == 50e9);
    CHECK(machine.warps_per_sm == 64);
    CHECK(machine.warp_starts_per_second == Approx(100 * 64 / 100e-9));
    CHECK(machine.busy_share(50) == 0.5);
    CHECK(machine.busy_share(1e6) == 1);
}

TEST_CASE("kernels of a graph follow each other without a host", "[time]") {
    const Machine stream = round_machine();
    CHECK(stream.stream_gap == 1e-6);
    CHECK(stream.launch == 2e-6);
    const Machine graph = stream.replaying_graphs();
    CHECK(graph.stream_gap == stream.graph_node);
    CHECK(graph.launch == 0);
    CHECK(graph.dram_latency == stream.dram_latency);
}

TEST_CASE("what busy memory delays is told to be an H200's where it was not measured", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.copies_by_4_blocks_bytes_per_second.reset();
    limits.ceilings.stream_gap_seconds.reset();
    const auto machine = std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
    REQUIRE(machine.assumed.size() == 3);
    CHECK(machine.loaded.delay(0, 8) == Approx(machine.assumed[1].cycles * 1e-9));
    CHECK(machine.loaded.delay(0.5, 8) == Approx(machine.assumed[2].cycles * 1e-9));
    CHECK(machine.loaded.delay(0.5, 32) > machine.loaded.delay(0.5, 8));
    CHECK(machine.stream_gap > 1e-6);
}

TEST_CASE("the memory's rate depends on the working set and on how much is written", "[time]") {
    const Machine machine = round_machine();
    constexpr double large = 4e9;
    CHECK(machine.memory_rate(large, 0) == 2e12);
    CHECK(machine.memory_rate(large, 1.0 / 3) == Approx(1.5e12));
    CHECK(machine.memory_rate(large, 0.5) == Approx(1e12));
    CHECK(machine.memory_rate(large, 1) == Approx(1e12));
    CHECK(machine.memory_rate(large, 1.0 / 6) == Approx(1.75e12));
    CHECK(machine.memory_rate(1e3, 0.5) == Approx(8e12));
    // Between the sizes, interpolated logarithmically: the geometric mean of the rates.
    CHECK(machine.memory_rate(32 << 20, 0.5) == Approx(std::sqrt(8e12 * 1e12)));
}

TEST_CASE("what is read again has left L2 as far as reading takes longer", "[time]") {
    const Machine machine = round_machine();
    const double l2 = machine.l2_reads_per_second;
    CHECK(machine.read_from_memory(1e3) == 0);
    CHECK(machine.read_from_memory(machine.l2_bytes / 4) == Approx(0).margin(1e-9));
    CHECK(machine.read_from_memory(4e9) == 1);
    const double some = machine.read_from_memory(256 << 20);
    CHECK(1 / machine.memory_rate(256 << 20, 0) == Approx((1 - some) / l2 + some / 2e12));
    CHECK(machine.read_from_memory(128 << 20) < some);
    // If reads are equally fast at any size, the capacity decides.
    Machine flat = machine;
    flat.bandwidths.front().back().bytes_per_second = l2;
    CHECK(flat.read_from_memory(flat.l2_bytes) == 0);
    CHECK(flat.read_from_memory(1.01 * flat.l2_bytes) == 1);
}

TEST_CASE("what an older file lacks is told, with its source", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.l2_latency_seconds.reset();
    limits.ceilings.l2_first_latency_seconds.reset();
    limits.ceilings.block_turnover_seconds.reset();
    limits.ceilings.l2_stores_per_second.reset();
    const auto machine = std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
    REQUIRE(machine.assumed.size() == 6);
    CHECK(machine.assumed[0].what == "store that reaches L2");
    CHECK(machine.l2_passed_on_per_second == Approx(33e9));
    CHECK(machine.assumed[1].what == "L2 latency");
    CHECK_FALSE(machine.assumed[1].source.empty());
    CHECK(machine.assumed[2].what == "the far half of L2");
    CHECK(machine.l2_latency ==
          Approx((machine.assumed[1].cycles + machine.assumed[2].cycles) * 1e-9));
    CHECK(machine.assumed[3].what == "spread of L2's latency");
    CHECK(machine.assumed[4].what == "spread in a row, L2");
    CHECK(machine.assumed[5].what == "start of a warp");
    CHECK_FALSE(machine.knows_clusters);
    CHECK(machine.cluster_barrier > 9 * machine.shared_latency);
    CHECK(machine.distributed_latency > machine.shared_latency);
    limits.ceilings.cluster_barrier_seconds = 500e-9;
    CHECK_FALSE(std::get<Machine>(machine_of(limits, parse_architecture("sm_90"))).knows_clusters);
    limits.ceilings.distributed_latency_seconds = 90e-9;
    const auto known = std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
    CHECK(known.knows_clusters);
    CHECK(known.cluster_barrier == 500e-9);
    CHECK(known.distributed_latency == 90e-9);
}

TEST_CASE("cards that were never at hand have machines, and say what stands in", "[time]") {
    struct Expected {
        const char* file;
        const char* arch;
        int sm_count;
        double dram_cycles;
        std::size_t assumed;
    };
    for (const Expected& card :
         {Expected{"v100-pcie", "sm_70", 80, 436.3, 14},
          Expected{"a100-80gb", "sm_80", 108, 571.8, 12}, Expected{"l40", "sm_89", 142, 631.0, 12},
          Expected{"rtx-3090", "sm_86", 82, 269.33 * 1.695, 15},
          Expected{"rtx-4090", "sm_89", 128, 636, 15}}) {
        const auto limits = hardware_limits(
            results::read_document(std::filesystem::path(CAMBER_SOURCE_DIR) /
                                   "results/published-cards" / (std::string(card.file) + ".json")));
        REQUIRE(limits);
        const auto machine = std::get<Machine>(machine_of(*limits, parse_architecture(card.arch)));
        CHECK(machine.sm_count == card.sm_count);
        CHECK(machine.dram_latency * machine.clock_hz == Approx(card.dram_cycles));
        CHECK(machine.assumed.size() == card.assumed);
        // Beyond L2 reads and writes differ little on such memories.
        const double copy = machine.memory_rate(4e9, 0.5);
        CHECK(machine.memory_rate(4e9, 0) == Approx(copy).epsilon(0.1));
    }
}

TEST_CASE("without the curves and rates there is a sentence in place of a machine", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.triad.clear();
    limits.ceilings.fp32_flops_per_second.reset();
    const auto sentence = [](const HardwareLimits& of) {
        return std::get<std::string>(machine_of(of, parse_architecture("sm_90")));
    };
    CHECK(sentence(limits) ==
          "the device's limits lack fp32_flops_per_second: measure them with camber ceilings");
    limits.ceilings.copy.clear();
    limits.ceilings.read.clear();
    limits.ceilings.write.clear();
    CHECK(sentence(limits) ==
          "the device's limits lack copy, read, write, triad, fp32_flops_per_second: measure them "
          "with camber ceilings");
    const auto between = machine_of(round_limits(), parse_architecture("cc3.5"));
    CHECK(std::get<std::string>(between) ==
          "times are predicted for compute capability 1.x, 2.x, 5.0 and later, and CC 3.5 is none "
          "of them");
}

}  // namespace camber::machine_test

namespace camber::occupancy_test {
namespace {

double on(const char* architecture, const BlockNeeds& block) {
    return occupancy(block, parse_architecture(architecture)).value();
}

}  // namespace

TEST_CASE("threads, registers or shared memory limit the blocks", "[time]") {
    CHECK(on("sm_90", {256, 32, 0}) == 1);
    CHECK(on("sm_90", {32, 16, 0}) == 0.5);            // at most 32 blocks
    CHECK(on("sm_90", {256, 64, 0}) == 0.5);           // 4 blocks of 16384 registers
    CHECK(on("sm_90", {256, 33, 0}) == 0.75);          // 1280 registers per warp
    CHECK(on("sm_90", {64, 32, 48 * 1024}) == 0.125);  // 4 blocks, with 1 KB each reserved by the
                                                       // system
    CHECK(on("sm_89", {1024, 32, 0}) == Approx(32.0 / 48));
    CHECK_FALSE(occupancy({256, 32, 0}, parse_architecture("cc3.5")));
    CHECK_FALSE(occupancy({0, 32, 0}, parse_architecture("sm_90")));
}

// Occupancies reported by an H200's runtime, for every kernel without a carve-out preference.
TEST_CASE("the occupancy is what the runtime computes", "[time][results]") {
    int kernels = 0;
    for (const char* const file : {"life", "blur", "water_flow", "extrema_stack"}) {
        const auto path = std::filesystem::path(CAMBER_SOURCE_DIR) / "results/h200" /
                          (file + std::string(".json"));
        for (const results::CaseRecord& record : results::read_document(path).cases)
            for (const results::Kernel& kernel : record.kernels) {
                if (!kernel.occupancy ||
                    (kernel.shared_carve_out_percent && *kernel.shared_carve_out_percent))
                    continue;
                CAPTURE(record.name, kernel.name);
                CHECK(on("sm_90", {static_cast<int>(kernel.threads_per_block()), *kernel.registers,
                                   static_cast<std::size_t>(*kernel.static_shared_bytes +
                                                            *kernel.dynamic_shared_bytes)}) ==
                      *kernel.occupancy);
                ++kernels;
            }
    }
    CHECK(kernels > 300);
}

}  // namespace camber::occupancy_test
