// What of a launch's reads comes from L2 and from memory.
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
    work.blocks = 800;  // one filling of 6400 warps, which moves 204.8 MB; L2 has 67
    rounds(1);
    CHECK(dram() == near(once));
    rounds(10);
    CHECK(dram() > 1.05 * once);
    work.counts.counts.shared_store = SharedCounts{{6400, 6400}, 6400};
    CHECK(dram() == near(once));
}

// 800 blocks at work hold a quarter of a megabyte each.
TEST_CASE("what a loop reads again has left the caches where blocks at work hold more", "[time]") {
    KernelWork work = plain_kernel();
    work.blocks = 800;
    const std::int64_t warps = 6400;
    work.counts.reads.block_sectors = 800 * 8192;
    auto& loads = work.counts.counts.global_load;
    const auto read = [&](std::int64_t times) {
        loads.instructions = loads.requests = loads.bank_passes = times * 800 * 2048;
        loads.sectors = 4 * loads.requests;
        loads.requested_bytes = 32 * loads.sectors;
        work.counts.counts.global_store.instructions = warps;
        work.code.instructions["global_loads"] = 1;
        return kernel_time(work, round_machine());
    };
    const double once = part(read(1), TimeResource::l2);
    const double thrice = part(read(3), TimeResource::l2);
    // Eight blocks of a multiprocessor hold 2 MiB. Of its 256 KiB each has one of shared memory.
    CHECK(thrice == near(once * (1 + 2 * (1 - 248.0 / 2048))));
    CHECK(part(read(3), TimeResource::dram) > 1.5 * part(read(1), TimeResource::dram));
    // What fits stays.
    work.counts.counts.global_store.sectors = 0;
    work.counts.reads.block_sectors = 800 * 64;
    CHECK(part(read(3), TimeResource::l2) == near(once / 128));
}

TEST_CASE("what a warp reads again has left L1 by what it has read meanwhile", "[time]") {
    KernelWork work = plain_kernel();
    work.blocks = 800;
    work.code.occupancy = 1;  // 64 warps, with 248 KiB of L1: 124 sectors each
    auto& loads = work.counts.counts.global_load;
    loads.instructions = loads.requests = loads.bank_passes = 800 * 2048;
    loads.sectors = 4 * loads.requests;
    loads.requested_bytes = 32 * loads.sectors;
    work.counts.counts.global_store = {};
    work.counts.reads.block_sectors = loads.sectors / 4;
    const auto l2 = [&](std::uint32_t meanwhile) {
        work.counts.reads.returns = {};
        work.counts.reads.returns[return_place(meanwhile)] = loads.sectors * 3 / 4;
        return part(kernel_time(work, round_machine()), TimeResource::l2);
    };
    CHECK(l2(200) == near(4 * l2(100)));
    CHECK(l2(60) == near(l2(100)));
    // Registers and shared memory decide how many warps share it.
    const double kept = l2(60);
    work.code.static_shared_bytes = 28 << 10;  // eight blocks leave 24 KiB
    CHECK(l2(60) == near(4 * kept));
}

}  // namespace camber::caches_test
