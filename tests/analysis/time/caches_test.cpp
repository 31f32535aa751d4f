// Shares of a launch's reads served by L2 and by DRAM.
#include "analysis/time/kernel_time.hpp"
#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::caches_test {
namespace {

Approx near(double value) {
    return Approx(value).epsilon(1e-6);
}

}  // namespace

TEST_CASE("blocks that go down their rows read shared rows again, beyond L2", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.reads.block_sectors = 2 * work.counts.reads.grid_sectors;
    const auto dram = [&] { return part(kernel_time(work, round_machine()), TimeResource::dram); };
    const auto rounds = [&](std::int64_t number) {
        for (auto* counts : {&work.counts.counts.global_load, &work.counts.counts.global_store})
            counts->instructions = counts->requests = number * 6400;
    };
    const double once = dram();
    work.blocks = 800;  // one wave of 6400 warps, which moves 204.8 MB; L2 has 67 MB
    rounds(1);
    CHECK(dram() == near(once));
    rounds(10);
    const double again = dram();
    CHECK(again > 1.05 * once);
    // Except whole lines that the adjacent block reads at the same time.
    work.read_beside = 0.25;
    CHECK(dram() < again);
    CHECK(dram() > once);
    work.read_beside = 0.5;
    CHECK(dram() == near(once));
    work.read_beside = 0;
    work.counts.counts.shared_store = SharedCounts{{6400, 6400}, 6400};
    CHECK(dram() == near(once));
}

TEST_CASE("where shared rows leave L2, each row comes from memory", "[time]") {
    Machine machine = round_machine();
    machine.dram_latency = 300e-9;
    KernelWork work = plain_kernel();
    work.blocks = 800;
    work.step_bytes = 1 << 30;
    work.counts.reads.block_sectors = 2 * work.counts.reads.grid_sectors;
    for (auto* counts : {&work.counts.counts.global_load, &work.counts.counts.global_store})
        counts->instructions = counts->requests = 10 * 6400;
    work.code.instructions.insert({{"cycles", 3}, {"memory_waits", 1}});
    const auto latency = [&] { return part(kernel_time(work, machine), TimeResource::latency); };
    const double from_memory = latency();
    const double cycles = (12.5 + 3 * 10) * 1e-9;
    CHECK(from_memory == near(cycles + 10 * 300e-9));
    // Half of a block's reads were fetched by another block and may still be cached.
    machine.l2_bytes = 1e9;
    CHECK(latency() < 0.9 * from_memory);
}

TEST_CASE("a launch finds in L2 what its step has touched since by less than L2 has", "[time]") {
    const Machine machine = round_machine();
    KernelWork work = plain_kernel();
    work.counts.distinct_sectors = (1 << 20) / 32;
    const auto dram = [&] { return part(kernel_time(work, machine), TimeResource::dram); };
    const double alone = dram();
    // All launches together touch one GiB.
    work.step_bytes = 1 << 30;
    const double bytes = 2 * 4 * 800000.0 * 32;
    const double of_step = dram();
    CHECK(of_step == near(bytes / machine.memory_rate(1 << 30, 0.5)));
    CHECK(of_step > 3 * alone);
    // The previous launch touched half of the data.
    work.revisits = {{0.5, 1 << 20}};
    CHECK(dram() == near((alone + of_step) / 2));
    work.revisits = {{0.5, 1 << 20}, {0.5, 1 << 30}};
    CHECK(dram() == near((alone + of_step) / 2));
    work.revisits = {{1, 1 << 20}};
    CHECK(dram() == near(alone));
}

// 6400 resident warps.
TEST_CASE("what another warp of the block reads has left L2 where both are far apart", "[time]") {
    KernelWork work = plain_kernel();
    work.blocks = 800;
    work.counts.reads.block_sectors = 800 * 8192;
    const auto time = [&](std::int64_t times, std::uint32_t apart) {
        auto& loads = work.counts.counts.global_load;
        loads.instructions = loads.requests = loads.bank_passes = times * 800 * 2048;
        loads.sectors = 4 * loads.requests;
        loads.requested_bytes = 32 * loads.sectors;
        work.counts.counts.global_store = {};
        work.counts.reads.of_others = {};
        work.counts.reads.of_others[return_place(apart)] =
            loads.sectors - work.counts.reads.block_sectors;
        return kernel_time(work, round_machine());
    };
    // 12 and 820 MB later. Stores in between occupy capacity, too.
    const double memory = part(time(1, 1), TimeResource::dram);
    CHECK(part(time(3, 60), TimeResource::dram) == near(memory));
    CHECK(part(time(3, 4000), TimeResource::dram) > 1.5 * memory);
}

}  // namespace camber::caches_test
