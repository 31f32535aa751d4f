#include <algorithm>
#include <cmath>

#include "analysis/time/curves.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::instruction_fetch_test {
namespace {

constexpr double kib = 1024;

// Long code: four cycles per instruction beyond 32 KiB.
Machine with_caches() {
    HardwareLimits limits = round_limits();
    const auto bytes_per_second = [](double cycles) { return 16 * 100 * 1e9 / cycles; };
    limits.ceilings.instruction_fetch = {{16 << 10, bytes_per_second(1)},
                                         {32 << 10, bytes_per_second(1.2)},
                                         {40 << 10, bytes_per_second(4)}};
    return std::get<Machine>(machine_of(limits, parse_architecture("sm_90")));
}

// A warp iterates 100 times over a loop of that many instructions with one load per iteration; two
// warps are resident per SM.
KernelWork loop_of(std::int64_t instructions) {
    KernelWork work = plain_kernel();
    work.blocks = 1000;
    work.threads_per_block = 32;
    work.code.occupancy = 2.0 / 64;
    work.code.instructions = {{"total", instructions + 10}, {"global_loads", 1}, {"cycles", 10}};
    work.code.regions = {
        {0, {{"total", 10}, {"cycles", 10}}},
        {0, {{"total", instructions}, {"cycles", instructions}, {"global_loads_4", 1}}}};
    work.counts.counts.global_store = {};
    TransferCounts& loads = work.counts.counts.global_load;
    loads.instructions = loads.requests = loads.lines = 100 * 1000;
    loads.requested_bytes = 128 * loads.requests;
    loads.sectors = 4 * loads.requests;
    work.counts.reads = {4, 128, 4, 128};
    work.counts.writes = {};
    return work;
}

}  // namespace

TEST_CASE("cycles for an instruction are those of the lengths beside it", "[time]") {
    const InstructionFetch fetch({{16 * kib, 1}, {32 * kib, 1.2}, {40 * kib, 4}});
    CHECK(fetch.cycles(100) == 1);
    CHECK(fetch.cycles(24 * kib) == Approx(1.1));
    CHECK(fetch.cycles(36 * kib) == Approx(2.6));
    CHECK(fetch.cycles(400 * kib) == 4);
    CHECK(fetch.cache_bytes() == 32 * kib);
    CHECK(InstructionFetch().cycles(400 * kib) == 0);
    CHECK(InstructionFetch().cache_bytes() == 0);
    // Fetch cycles for 100 SMs at 1 GHz.
    CHECK(with_caches().fetch.cycles(32 * kib) == Approx(1.2));
}

TEST_CASE("what was not measured is an H200's on a card like it, and unknown on others", "[time]") {
    HardwareLimits older = round_limits();
    older.ceilings.instruction_fetch.clear();
    const auto machine = [&](const char* architecture) {
        return std::get<Machine>(machine_of(older, parse_architecture(architecture)));
    };
    CHECK(machine("sm_90").fetch.cache_bytes() == 32 * kib);
    CHECK(std::ranges::any_of(machine("sm_90").assumed, [](const Machine::Assumed& figure) {
        return figure.what == "instruction of a loop of 40 KiB";
    }));
    CHECK(machine("sm_80").fetch.cache_bytes() == 0);
}

TEST_CASE("a warp that is alone gets the instructions of a long loop no faster", "[time]") {
    const auto latency = [](std::int64_t instructions) {
        KernelWork work = loop_of(instructions);
        work.blocks = 100;  // one per SM
        work.counts.counts.global_load.instructions /= 10;
        return part(kernel_time(work, with_caches()), TimeResource::latency);
    };
    // 2048 instructions are 32 KiB, 4096 twice as much: four cycles each.
    CHECK(latency(2000) < 1.3 * 100 * 2000 * 1e-9);
    CHECK(latency(4096) > 3.9 * 100 * 4096 * 1e-9);
    CHECK(latency(4096) < 4.1 * 100 * 4096 * 1e-9);
}

TEST_CASE("warps at other places of a long loop have its instructions fetched by themselves",
          "[time]") {
    const auto issue = [](const KernelWork& work) {
        return part(kernel_time(work, with_caches()), TimeResource::issue);
    };
    // Ten warps per SM, two resident at a time: five waves.
    CHECK(issue(loop_of(2000)) == Approx(10 * 100 * 2000 / 4.0 * 1e-9).epsilon(0.01));
    KernelWork work = loop_of(3 * 1024);  // 48 KiB: one and a half times the cache
    CHECK(issue(work) == Approx(5 * 100 * 3072 * 4 * 1.5 * 1e-9).epsilon(0.01));
    work = loop_of(8 * 1024);  // four times: no more locations than warps
    CHECK(issue(work) == Approx(5 * 100 * 8192 * 4 * 2 * 1e-9).epsilon(0.01));
    // Warps that synchronize in each iteration proceed as one.
    work.code.regions[1].instructions["barriers"] = 1;
    CHECK(issue(work) == Approx(10 * 100 * 8192 / 4.0 * 1e-9).epsilon(0.01));
}

}  // namespace camber::instruction_fetch_test

namespace loaded_memory_test {

// Loaded latency.

using namespace camber;

namespace {

constexpr double ns = 1e-9;

// Read bandwidth of 100 SMs if each slot takes `turn` for a block of `bytes`.
double rate_of(double turn, double places, double bytes) {
    return places * 100 * bytes / turn;
}

// Blocks of reads take 500 ns plus 20 ns per unit of growth, those of copies 600 and 60, those in
// 32 pieces 700 and 90.
Ceilings busy_limits() {
    Ceilings c = round_limits().ceilings;
    const auto settled = [](double idle, double slope, double places, double bytes, double all) {
        double rate = rate_of(idle, places, bytes);
        for (int i = 0; i < 200; ++i)
            rate = rate_of(idle + slope * LoadedMemory::growth(rate / all), places, bytes);
        return rate;
    };
    c.reads_by_1_block_bytes_per_second = settled(500 * ns, 20 * ns, 1, 2048, 2e12);
    c.reads_by_4_blocks_bytes_per_second = settled(500 * ns, 20 * ns, 4, 2048, 2e12);
    c.copies_by_1_block_bytes_per_second = settled(2000 * ns, 60 * ns, 1, 4096, 1e12);
    c.copies_by_4_blocks_bytes_per_second = settled(2000 * ns, 60 * ns, 4, 4096, 1e12);
    c.copies_in_32_pieces_bytes_per_second = settled(2100 * ns, 90 * ns, 4, 4096, 1e12);
    return c;
}

// Loads a word per thread from 4 GiB, and writes as much.
KernelWork from_memory() {
    KernelWork work = plain_kernel();
    work.counts.distinct_sectors = 1 << 27;
    work.pieces_of_block = 8;
    return work;
}

double busy(const KernelWork& work, const Machine& machine) {
    return part(kernel_time(work, machine), TimeResource::busy);
}

}  // namespace

TEST_CASE("delays grow without end as the memory's use goes up", "[time]") {
    CHECK(LoadedMemory::growth(0) == 0);
    CHECK(LoadedMemory::growth(0.75) == Approx(1.5));
    CHECK(LoadedMemory::growth(0.96) == Approx(4.8));
    CHECK(LoadedMemory::growth(2) == LoadedMemory::growth(0.98));
}

TEST_CASE("delays are drawn from blocks that have one place and four", "[time]") {
    const Ceilings limits = busy_limits();
    const double spread = 100 * ns / (largest_of(32) - largest_of(8));
    const auto loaded = loaded_memory(limits, 100, spread);
    REQUIRE(loaded);
    CHECK(loaded->delay(0, 8) == Approx(20 * ns));
    CHECK(loaded->delay(0.25, 8) == Approx(40 * ns));
    CHECK(loaded->delay(1, 8) == Approx(60 * ns));
    CHECK(loaded->delay(0.5, 32) == Approx(90 * ns));
    CHECK(loaded->delay(0.5, 1) < loaded->delay(0.5, 8));
    for (const auto figure : {&Ceilings::reads_by_1_block_bytes_per_second,
                              &Ceilings::reads_by_4_blocks_bytes_per_second,
                              &Ceilings::copies_by_1_block_bytes_per_second,
                              &Ceilings::copies_by_4_blocks_bytes_per_second,
                              &Ceilings::copies_in_32_pieces_bytes_per_second}) {
        Ceilings older = limits;
        (older.*figure).reset();
        CHECK_FALSE(loaded_memory(older, 100, spread));
    }
}

TEST_CASE("memory that is as quick for four blocks as for one delays nothing", "[time]") {
    const auto loaded = loaded_memory(round_limits().ceilings, 100, 0);
    REQUIRE(loaded);
    CHECK(loaded->delay(0, 8) == Approx(0).margin(1e-15));
    CHECK(loaded->delay(0.5, 32) == Approx(0).margin(1e-15));
    CHECK(busy(from_memory(), round_machine()) == Approx(0).margin(1e-12));
}

TEST_CASE("a launch takes the time in which its waits are as long as its use makes them",
          "[time]") {
    Machine machine = round_machine();
    const KernelWork work = from_memory();
    const PredictedTime idle = kernel_time(work, machine);
    machine.loaded = LoadedMemory(500 * ns, 500 * ns, 0);
    const PredictedTime time = kernel_time(work, machine);
    CHECK(time.seconds > idle.seconds);
    CHECK(part(time, TimeResource::latency) == part(idle, TimeResource::latency));
    const double memory = part(time, TimeResource::dram);
    const double running = time.seconds - part(time, TimeResource::launch);
    CHECK(running > memory);
    // 100 000 blocks, 8 resident on each of 100 SMs, stall once each.
    const double delays = 125 * 500 * ns * LoadedMemory::growth(memory / running);
    CHECK(part(time, TimeResource::busy) == Approx(delays));
    // The largest part other than memory plus the delays is below the total.
    CHECK(part(time, TimeResource::latency) + delays < running);
    machine.loaded = LoadedMemory(1000 * ns, 1000 * ns, 0);
    CHECK(kernel_time(work, machine).seconds > time.seconds);
    // Data in L2 have no loaded latency.
    KernelWork small = plain_kernel();
    small.counts.distinct_sectors = 1 << 15;
    CHECK(busy(small, machine) == 0);
}

TEST_CASE("two waits in each of half as many blocks are delayed as one in each", "[time]") {
    Machine machine = round_machine();
    machine.loaded = LoadedMemory(50 * ns, 50 * ns, 0);
    const auto scheduled = [](KernelWork work, int waits) {
        work.code.instructions = {{"total", 10.0 * waits},
                                  {"cycles", 10.0 * waits},
                                  {"memory_waits", 1.0 * waits},
                                  {"global_loads", 1.0 * waits},
                                  {"global_stores", 1.0 * waits}};
        return work;
    };
    const KernelWork once = scheduled(from_memory(), 1);
    KernelWork twice = scheduled(from_memory(), 2);
    twice.blocks /= 2;
    twice.pieces_of_block *= 2;
    const auto number = [&](const KernelWork& work) {
        const PredictedTime time = kernel_time(work, machine);
        const double running = time.seconds - part(time, TimeResource::launch);
        return part(time, TimeResource::busy) /
               LoadedMemory::growth(part(time, TimeResource::dram) / running);
    };
    CHECK(number(twice) == Approx(number(once)).epsilon(0.01));
}

}  // namespace loaded_memory_test
