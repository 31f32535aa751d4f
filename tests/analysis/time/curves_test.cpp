#include <algorithm>
#include <cmath>

#include "analysis/time/curves.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

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
