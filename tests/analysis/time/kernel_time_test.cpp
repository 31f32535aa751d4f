#include "analysis/time/kernel_time.hpp"

#include "tests/analysis/time/fixtures.hpp"
#include "tests/catch.hpp"

namespace camber::kernel_time_test {
namespace {

Approx near(double value) {
    return Approx(value).epsilon(1e-6);
}

}  // namespace

TEST_CASE("each part of a launch's time is an amount over a rate", "[time]") {
    const PredictedTime time = kernel_time(plain_kernel(), round_machine());
    // 204.8 MB between 1 MiB and 1 GiB of the copy's curve.
    CHECK(part(time, TimeResource::dram) > 204.8e6 / 2e12);
    CHECK(part(time, TimeResource::dram) < 204.8e6 / 1e12);
    // Two requests per warp, and a line that comes from L2, on 100 SMs at 1 GHz.
    CHECK(part(time, TimeResource::l1) == near(800000 * (2 + 1) / 100e9));
    CHECK(part(time, TimeResource::issue) == near(800000 * 10 / 400e9));
    CHECK(part(time, TimeResource::texture) == 0);
    // 64 warps per SM start in 100 ns.
    CHECK(part(time, TimeResource::starts) == near(8000 / 64.0 * 100e-9));
    // 1000 blocks per SM on 8 places; a chain of 8 warps' starts, one access and 10 instructions.
    CHECK(part(time, TimeResource::latency) == near((12.5 + 100 + 40) * 1e-9 * 1000 / 8));
    CHECK(part(time, TimeResource::launch) == near(1e-6 + 2 * 112.5e-9));
}

TEST_CASE("a launch takes its largest part at least, and the sum of all parts at most", "[time]") {
    const PredictedTime time = kernel_time(plain_kernel(), round_machine());
    double sum = 0;
    for (const TimePart& each : time.parts) sum += each.seconds;
    CHECK(time.binding().resource == TimeResource::dram);
    CHECK(time.seconds > time.binding().seconds);
    CHECK(time.seconds < sum);
    CHECK(time.low < time.seconds);
    CHECK(time.high > time.seconds);
    CHECK_FALSE(time.uncertain());
}

TEST_CASE("few places for blocks make a launch wait for its chains", "[time]") {
    KernelWork work = plain_kernel();
    const double full = part(kernel_time(work, round_machine()), TimeResource::latency);
    work.code.occupancy = 0.25;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::latency) == near(4 * full));
}

TEST_CASE("the last wave of blocks takes as long as a full one", "[time]") {
    KernelWork work = plain_kernel();
    work.blocks = 900;  // 9 blocks per SM on 8 places
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store})
        counts->instructions = counts->requests = counts->lines = 7200;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::latency) == near(2 * 152.5e-9));
}

TEST_CASE("blocks of which few fillings are launched may not overlap at all", "[time]") {
    KernelWork work = plain_kernel();
    const auto sum_of_parts = [](const PredictedTime& time) {
        double sum = 0;
        for (const TimePart& each : time.parts)
            if (each.resource != TimeResource::l2) sum += each.seconds;
        return sum;
    };
    const PredictedTime many = kernel_time(work, round_machine());
    CHECK(many.high < 0.9 * sum_of_parts(many) / 0.9);
    work.blocks = 2400;  // three fillings
    const PredictedTime few = kernel_time(work, round_machine());
    CHECK(few.high == near(sum_of_parts(few) / 0.9));  // kernels reach 0.9 of a rate
}

TEST_CASE("loads whose words share banks of L1 take a pass for each", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.counts.global_load.bank_passes *= 32;
    CHECK(part(kernel_time(work, round_machine()), TimeResource::l1) ==
          near(800000 * (2 + 32) / 100e9));
}

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
    // Eight blocks of a multiprocessor hold eight times what its L1 does.
    CHECK(thrice == near(once * (1 + 2 * (1 - 1 / 8.0))));
    CHECK(part(read(3), TimeResource::dram) > 1.5 * part(read(1), TimeResource::dram));
    // What fits stays.
    work.counts.counts.global_store.sectors = 0;
    work.counts.reads.block_sectors = 800 * 64;
    CHECK(part(read(3), TimeResource::l2) == near(once / 128));
}

TEST_CASE("blocks on a few multiprocessors have the data paths of these only", "[time]") {
    KernelWork work = plain_kernel();
    const double all = part(kernel_time(work, round_machine()), TimeResource::issue);
    work.blocks = 10;  // a tenth of them
    for (TransferCounts* counts :
         {&work.counts.counts.global_load, &work.counts.counts.global_store})
        counts->instructions = 80;
    const double few = part(kernel_time(work, round_machine()), TimeResource::issue);
    CHECK(few == near(all * 80 / 800000 * 10));
}

TEST_CASE("loads that go on into shared memory wait for each other", "[time]") {
    KernelWork work = plain_kernel();
    const double one = part(kernel_time(work, round_machine()), TimeResource::latency);
    TransferCounts& loads = work.counts.counts.global_load;
    loads.requests = loads.instructions = 3 * 800000;
    work.counts.counts.shared_store = SharedCounts{{3 * 800000, 3 * 800000}, 3 * 800000};
    work.code.instructions["global_loads"] = 3;
    work.code.instructions["shared_stores"] = 3;
    const double three = part(kernel_time(work, round_machine()), TimeResource::latency);
    CHECK(three - one > 2 * 100e-9 * 1000 / 8 * 0.99);
}

TEST_CASE("a fetch from a line of elements takes half as long as from a board", "[time]") {
    KernelWork work = plain_kernel();
    work.counts.counts.texture_load.instructions = 800000;
    const double board = part(kernel_time(work, round_machine()), TimeResource::texture);
    work.linear_textures = true;
    CHECK(board == near(800000 * 8 / 100e9));
    CHECK(part(kernel_time(work, round_machine()), TimeResource::texture) == near(board / 2));
}

TEST_CASE("a time is uncertain where something was not counted", "[time]") {
    KernelWork work = plain_kernel();
    SECTION("a sample's counts") {
        work.distinct_known = false;
    }
    SECTION("atomic additions") {
        work.counts.counts.global_atomic.requests = 1;
    }
    SECTION("sectors written in pieces") {
        work.counts.counts.global_store.sectors *= 8;
    }
    SECTION("spilled registers") {
        work.code.local_bytes = 16;
    }
    SECTION("a text of which little is executed") {
        work.code.instructions = {
            {"total", 100000}, {"control", 10000}, {"global_loads", 1}, {"global_stores", 1}};
    }
    const PredictedTime time = kernel_time(work, round_machine());
    CHECK(time.uncertain());
    CHECK(time.doubts.size() == 1);
}

TEST_CASE("kernels add up, and cannot be submitted faster than the host submits", "[time]") {
    const Machine machine = round_machine();
    const PredictedTime one = kernel_time(plain_kernel(), machine);
    const PredictedTime two = sum({one, one}, machine);
    CHECK(two.seconds == near(2 * one.seconds));
    CHECK(part(two, TimeResource::l1) == near(2 * part(one, TimeResource::l1)));

    KernelWork small = plain_kernel();
    small.blocks = 1;
    small.counts = {};
    const PredictedTime short_one = kernel_time(small, machine);
    REQUIRE(short_one.seconds < 2e-6);
    const PredictedTime three = sum({short_one, short_one, short_one}, machine);
    CHECK(three.seconds == near(6e-6));
    CHECK(three.binding().resource == TimeResource::launch);
}

}  // namespace camber::kernel_time_test
