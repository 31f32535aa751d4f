// Latency of the last of a block's requests.
#include <cmath>

#include "analysis/time/curves.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace spread_test {

using namespace camber;

namespace {

Machine machine_as(const HardwareLimits& limits, const char* architecture) {
    return std::get<Machine>(machine_of(limits, parse_architecture(architecture)));
}

}  // namespace

TEST_CASE("the largest of more values lies farther out", "[time]") {
    CHECK(largest_of(1) == 0);
    CHECK(largest_of(0.2) == 0);
    CHECK(largest_of(2) == Approx(1 / std::sqrt(M_PI)).epsilon(1e-3));
    CHECK(largest_of(32) == Approx(2.0697));
    // Exact values between the powers of two.
    CHECK(largest_of(3) == Approx(0.8463).epsilon(0.02));
    CHECK(largest_of(6) == Approx(1.2672).epsilon(0.02));
    CHECK(largest_of(24) == Approx(1.9477).epsilon(0.02));
    CHECK(largest_of(1024) > largest_of(512));
}

TEST_CASE("how far latencies scatter is drawn from the last of 8", "[time]") {
    CHECK(round_machine().dram_spread == Approx(0).margin(1e-15));
    HardwareLimits limits = round_limits();
    const auto machine = [&] { return machine_as(limits, "sm_90"); };
    limits.ceilings.dram_last_of_8_seconds = 307e-9;
    limits.ceilings.l2_first_last_of_8_seconds = 102e-9;  // less than it takes to issue them
    CHECK(machine().dram_spread == Approx(200e-9 / largest_of(8)));
    CHECK(machine().l2_spread == 0);
    CHECK(machine().assumed.empty());
    limits.ceilings.dram_last_of_8_seconds.reset();
    REQUIRE(machine().assumed.size() == 1);
    CHECK(machine().assumed[0].what == "spread of DRAM's latency");
    CHECK(machine().dram_spread == Approx(machine().assumed[0].cycles * 1e-9));
}

TEST_CASE("L2 is as far away as words that nobody has read since they were written", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.l2_first_latency_seconds = 130e-9;
    limits.ceilings.l2_first_last_of_8_seconds = 197e-9;
    CHECK(machine_as(limits, "sm_90").l2_latency == Approx(130e-9));
    CHECK(machine_as(limits, "sm_90").l2_spread == Approx(60e-9 / largest_of(8)));
    CHECK(machine_as(limits, "sm_90").dram_latency == Approx(100e-9));
    // An older file of a chip with two L2 halves gets another chip's additional latency, other
    // files none.
    limits.ceilings.l2_first_latency_seconds.reset();
    limits.ceilings.l2_first_last_of_8_seconds.reset();
    const Machine older = machine_as(limits, "sm_90");
    REQUIRE(older.assumed.size() == 2);
    CHECK(older.assumed[0].what == "the far half of L2");
    CHECK(older.l2_latency == Approx(100e-9 + older.assumed[0].cycles * 1e-9));
    CHECK(older.l2_spread == Approx(older.assumed[1].cycles * 1e-9));
    CHECK(machine_as(limits, "sm_89").l2_latency == Approx(100e-9));
    CHECK(machine_as(limits, "sm_89").l2_spread == Approx(0).margin(1e-15));
}

TEST_CASE("pieces of a row scatter by themselves", "[time]") {
    HardwareLimits limits = round_limits();
    limits.ceilings.l2_row_latency_seconds = 110e-9;
    limits.ceilings.dram_row_latency_seconds = 130e-9;
    CHECK(machine_as(limits, "sm_90").l2_row_spread == Approx(10e-9 / largest_of(2)));
    CHECK(machine_as(limits, "sm_90").dram_row_spread == Approx(30e-9 / largest_of(2)));
    limits.ceilings.l2_row_latency_seconds = 90e-9;
    CHECK(machine_as(limits, "sm_90").l2_row_spread == 0);
    limits.ceilings.dram_row_latency_seconds.reset();
    REQUIRE(machine_as(limits, "sm_90").assumed.size() == 1);
    CHECK(machine_as(limits, "sm_90").assumed[0].what == "spread in a row, DRAM");
    limits.ceilings.l2_first_last_of_8_seconds = 147e-9;
    CHECK(machine_as(limits, "sm_89").dram_row_spread == machine_as(limits, "sm_89").l2_spread);
}

TEST_CASE("memory is slower for blocks that go down rows", "[time]") {
    HardwareLimits limits = round_limits();
    const auto machine = [&] { return machine_as(limits, "sm_90"); };
    CHECK(machine().memory_rate(4e9, 0.5, 128) == Approx(1e12));
    limits.ceilings.descending_bytes_per_second = 0.8e12;
    CHECK(machine().memory_rate(4e9, 0.5) == Approx(1e12));
    CHECK(machine().memory_rate(4e9, 0.5, 128) == Approx(0.8e12));
    CHECK(machine().memory_rate(4e9, 0, 1000) == Approx(1.6e12));
    // In the logarithm, 16 rows are more than half-way.
    CHECK(machine().memory_rate(4e9, 0.5, 16) == Approx(1e12 / (1 + 0.25 * 4 / 7)));
    // Data in L2 is not affected.
    CHECK(machine().memory_rate(1e6, 0.5, 128) == Approx(8e12));
    limits.ceilings.descending_bytes_per_second.reset();
    REQUIRE(machine().assumed.size() == 1);
    CHECK(machine().assumed[0].cycles == Approx(1e3 / machine().descending_slowdown));
    CHECK(machine().descending_slowdown > 1);
    // A ratio below 1 counts as 1.
    limits.ceilings.descending_bytes_per_second = 1.1e12;
    CHECK(machine().descending_slowdown == 1);
}

// Work of plain_kernel(), whose blocks load 8 lines in a row each, from DRAM.
class Blocks {
  public:
    Blocks() {
        machine_.dram_spread = 50e-9;
        machine_.l2_spread = 5e-9;
        machine_.l2_row_spread = 4e-9;
        machine_.dram_row_spread = 15e-9;
        work_.counts.distinct_sectors = 1 << 27;  // 4 GiB
    }
    Blocks& pieces(int each) {
        work_.pieces_of_block = each;
        return *this;
    }
    double latency() const { return part(kernel_time(work_, machine_), TimeResource::latency); }

    Machine machine_ = round_machine();
    KernelWork work_ = plain_kernel();
};

TEST_CASE("a block of which more pieces of memory are read takes longer", "[time]") {
    Blocks blocks;
    const double fillings = 100000.0 / (100 * 8);
    const double one = blocks.pieces(1).latency();
    CHECK(blocks.pieces(4).latency() - one == Approx(fillings * 50e-9 * largest_of(4)));
    CHECK(blocks.pieces(16).latency() - one == Approx(fillings * 50e-9 * largest_of(16)));
    // If the board is in L2, latencies scatter less.
    blocks.work_.counts.distinct_sectors = 1 << 15;
    CHECK(blocks.latency() - blocks.pieces(1).latency() ==
          Approx(fillings * 5e-9 * largest_of(16)));
}

TEST_CASE("a block waits for memory where L2 lacks any of what it reads", "[time]") {
    Blocks blocks;
    blocks.machine_.dram_spread = blocks.machine_.l2_spread = 0;
    blocks.machine_.dram_latency = 300e-9;
    const double fillings = 100000.0 / (100 * 8);
    const double memory = blocks.pieces(8).latency();
    blocks.work_.counts.distinct_sectors = (48 << 20) / 32;
    const double lacked = blocks.machine_.read_from_memory(48 << 20);
    REQUIRE(lacked > 0.05);
    REQUIRE(lacked < 0.3);
    for (const int pieces : {1, 8})
        CHECK(memory - blocks.pieces(pieces).latency() ==
              Approx(fillings * 200e-9 * std::pow(1 - lacked, pieces)));
}

TEST_CASE("delays of loads that follow each other even out, but for those that warps meet after",
          "[time]") {
    Blocks blocks;
    const double fillings = 100000.0 / (100 * 8);
    auto& loads = blocks.work_.counts.counts.global_load;
    auto& code = blocks.work_.code.instructions;
    code = {{"total", 10},
            {"cycles", 10},
            {"memory_waits", 4},
            {"global_loads", 4},
            {"global_stores", 1}};
    loads.instructions = loads.requests = loads.lines = 4 * 800000;
    loads.sectors = 4 * loads.requests;
    blocks.work_.counts.reads.block_sectors = blocks.work_.counts.reads.grid_sectors =
        loads.sectors;
    const auto delay = [&](int each) {
        const double longer = blocks.pieces(each).latency();
        return (longer - blocks.pieces(1).latency()) / fillings;
    };
    CHECK(delay(32) == Approx(50e-9 * 2 * largest_of(8)));
    // With 32 pieces at once, a warp has four and waits for the last of them each time. They are in
    // one row.
    CHECK(delay(128) == Approx(50e-9 * 2 * largest_of(32) + 3 * 15e-9 * largest_of(4)));
    // Between barriers, all warps wait for the last piece each time.
    code["barriers"] = 8;
    blocks.work_.counts.counts.shared_store.instructions = 800000;
    CHECK(delay(32) > 1.5 * 50e-9 * 2 * largest_of(8));
}

}  // namespace spread_test
